/** One colour family: nodes that move money, and nodes that do not. Dark enough for white icons, light enough for the label. */
export const MONEY = '#63A8A1';
export const LISTENS = '#82A2AC';
export const CONFIG = '#DDDDDD';
