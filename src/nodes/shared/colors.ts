/** One colour family: what moves money, and what listens. */
export const MONEY = '#A6BBCF';
export const LISTENS = '#C7E9C0';
export const CONFIG = '#DDDDDD';
