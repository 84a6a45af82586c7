/** Whether card data may travel to this URL: by https, or by http within this machine. */
export function isSafeAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** Whether something at this URL can have a path below it: what follows a `?` or a `#` is no path, and a user is no place. */
export function isBase(text: string): boolean {
  if (!URL.canParse(text) || /[?#]/.test(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
