/**
 * Keeps secrets and card data out of everything that is written down: errors, logs, the journal, the request log.
 * A run of digits counts as a card number when it has a card number's length, first digits and check digit, whatever
 * separates its groups. UUIDs and other hexadecimal identifiers are left alone: breaking one would lose a payment.
 */

const DIGIT = '[0-9\uFF10-\uFF19]';
/** With its JSON forms. A line break and the indent behind it are several. */
const WHITESPACE = '(?:[\\s\\u00ad\\u200b-\\u200d\\u2060]|\\\\[nrt]){1,6}';
/** Whitespace and hyphens as URLs, HTML and JSON write them. */
const ENCODED = '%20|%2D|%C2%A0|&nbsp;|&#160;|&#xa0;|\\\\u00a0';
/** What people and programs put between the groups of a card number. */
const SEPARATOR = `(?:(?:${WHITESPACE})?[\\u00b7\\u2010-\\u2015\\u2043\\u2212._+/-](?:${WHITESPACE})?|${WHITESPACE}|${ENCODED})`;
const GROUPS = [
  [4, 4, 4, 4, '1,3'],
  [4, 4, 4, '1,7'],
  [4, 6, '4,5'],
].map((sizes) => sizes.map((size) => `${DIGIT}{${size}}`).join(SEPARATOR));
const IDENTIFIERS = [
  '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
  // 32 hexadecimal digits or more: a UUID without hyphens, a digest, a callback token.
  '(?<![0-9a-z])(?=[0-9]*[a-f])[0-9a-f]{32,}(?![0-9a-z])',
];
const [LONGEST = '', ...OTHERS] = [...GROUPS, `${DIGIT}{13,19}`].map((run) => `(?<!${DIGIT})${run}(?!${DIGIT})`);
/** The longest first and apart, so that a number that follows a card does not hide the card. */
const PASSES = [[LONGEST], OTHERS].map((runs) => new RegExp([...IDENTIFIERS, ...runs].join('|'), 'gi'));
/** Rules out nearly every text at a fraction of the cost. */
const MAY_HOLD_CARD = new RegExp(
  `${DIGIT}{13}|${DIGIT}{4}${SEPARATOR}${DIGIT}{4}(?:${DIGIT}{2})?${SEPARATOR}${DIGIT}{4}`,
  'i',
);
const IN_GROUPS = new RegExp([LONGEST, ...OTHERS.slice(0, -1)].join('|'), 'i');
const IN_ONE = new RegExp(OTHERS.at(-1) ?? '', 'g');
/** A card number in the data of a chip: its tag (5A the number, 57 the track with it), its length in bytes, its digits. */
const CHIP_DATA = /(5A|57)([01][0-9A-F])([0-9]{13,19})/gi;
/** Track 2 as a chip holds it: the card number, D, the month of expiry, and data that proves the card, which may not be kept either. */
const TRACK = /(?<![0-9a-z])([0-9]{13,19})D[0-9]{2}(?:0[1-9]|1[0-2])[0-9]{3,}F?(?![0-9a-z])/gi;
const ENCODED_SEPARATORS = new RegExp(ENCODED, 'gi');
const FIRST_DIGITS = /^(?:[3-6]|2[2-7]|81)/;
const SHORTEST_CARD_NUMBER = 13;
/** Replaces a secret. */
export const REDACTED = '[redacted]';

/** Fields whose values are never stored or logged, in any letter case. */
const SECRET_FIELDS = new Set([
  'apikey',
  'apikeycloud',
  'auth-token',
  'authorization',
  'cardtoken',
  'cookie',
  'ssk',
  'token',
  'unmaskedpan',
]);

/** Fields with long or personal values: kept in messages, redacted in the journal and logs. */
const BULKY_FIELDS = new Set(['customerreceipt', 'merchantreceipt', 'receipt', 'signatureurl']);

/** Kinds of receipts and signatures in a result that hold the thing itself, under whatever name a flow has put them. */
const BODIES: ReadonlySet<unknown> = new Set(['html', 'png']);

/** Replaces every card number in a text by its last four digits. */
export function redactText(text: string): string {
  if (text.length < SHORTEST_CARD_NUMBER || clean.has(text)) return text;
  const mayHoldCard = MAY_HOLD_CARD.test(text);
  const chipless = mayHoldCard ? text.replace(CHIP_DATA, redactChipData).replace(TRACK, redactTrack) : text;
  const isCardLike = mayHoldCard && hasCardLikeRun(chipless);
  const redacted = isCardLike ? PASSES.reduce((left, pass) => left.replace(pass, redactRun), chipless) : chipless;
  if (redacted === text && (mayHoldCard || text.length >= LONG)) rememberClean(text);
  return redacted;
}

/** A receipt has a date of many digits, and no card number: that is found out without the identifiers beside it. */
function hasCardLikeRun(text: string): boolean {
  if (IN_GROUPS.test(text)) return true;
  return text.match(IN_ONE)?.some((run) => isCardNumber(run.normalize('NFKC'))) ?? false;
}

/** The latest texts without a card number: a receipt is looked through when it is read, and again in the whole result. */
const clean = new Set<string>();
const MOST_CLEAN = 64;
/** To look through a text of so many characters costs more than to remember it. */
const LONG = 128;

function rememberClean(text: string): void {
  const [oldest] = clean;
  if (clean.size === MOST_CLEAN && oldest !== undefined) clean.delete(oldest);
  clean.add(text);
}

function redactRun(run: string): string {
  const plain = run.normalize('NFKC').replace(ENCODED_SEPARATORS, '');
  const digits = plain.replace(/\D/g, '');
  const isIdentifier = /[a-f]/i.test(plain) || /^\d{8}-\d{4}-\d{4}-\d{4}-\d{12}$/.test(run);
  if (isIdentifier || !isCardNumber(digits)) return run;
  return `[card ending ${digits.slice(-4)}]`;
}

/** Digits behind the card number belong to what follows in the data. */
function redactChipData(all: string, tag: string, bytes: string, digits: string): string {
  const card = digits.slice(0, 2 * Number.parseInt(bytes, 16));
  if (card.length < SHORTEST_CARD_NUMBER || !isCardNumber(card)) return all;
  return `${tag}${bytes}[card ending ${card.slice(-4)}]${digits.slice(card.length)}`;
}

function redactTrack(all: string, card: string): string {
  return isCardNumber(card) ? `[card ending ${card.slice(-4)}]` : all;
}

/** The replacements that {@link redact} writes. */
const REDACTIONS = /\[redacted\]|\[card ending \d{4}\]/;

/** Something was left out of the text. */
export function isRedacted(text: string): boolean {
  return REDACTIONS.test(text);
}

/**
 * A value without secrets, card numbers (in names of properties too), receipt bodies and signatures; a receipt's URL stays. Parts
 * without any are not copied: whoever changes what this returns needs a copy of their own.
 */
export function redact(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'number') return redactNumber(value);
  if (Array.isArray(value)) return elements(value, redact);
  if (value === null || typeof value !== 'object') return value;
  const fields = value as Record<string, unknown>;
  const isBody = BODIES.has(fields.kind);
  return mapped(fields, (name, field) => {
    return isBody && name.lower === 'value' && field !== '' ? REDACTED : redactField(name, field);
  });
}

/** A field of an object as {@link redact} leaves it; undefined where its name holds a card number. */
export function redactedField(name: string, field: unknown): unknown {
  const known = nameOf(name);
  return known.shown === name ? redactField(known, field) : undefined;
}

/** With other values, and without card numbers in the names: a copy, or the object itself where nothing changes. */
function mapped(
  fields: Record<string, unknown>,
  change: (name: Name, field: unknown) => unknown,
): Record<string, unknown> {
  // JSON takes another object, such as a Decimal, as its class says, which may hold more than its fields.
  const isPlain = Object.getPrototypeOf(fields) === Object.prototype;
  let copy = isPlain ? undefined : { ...fields };
  // Without a list of the names V8 knows where each value is.
  for (const key in fields) {
    if (!isPlain && !Object.hasOwn(fields, key)) continue;
    const field = fields[key];
    const name = nameOf(key);
    const value = change(name, field);
    // As an own property it would become the prototype of the next copy.
    const isLeft = key === '__proto__';
    if (!isLeft && name.shown === key && value === field) continue;
    // Only what changes is written: V8 makes a slow object of one that is put together name by name.
    copy ??= { ...fields };
    if (isLeft || name.shown !== key) delete copy[key];
    if (!isLeft) copy[name.shown] = value;
  }
  return copy ?? fields;
}

/** The same for a list. */
function elements(list: readonly unknown[], change: (element: unknown) => unknown): readonly unknown[] {
  const changed = list.map((element) => change(element));
  return changed.every((element, place) => element === list[place]) ? list : changed;
}

interface Name {
  name: string;
  /** Without a card number. */
  shown: string;
  lower: string;
  isSecret: boolean;
  isBulky: boolean;
}

/** The names of fields, which are few and come again with every result. */
const names = new Map<string, Name>();
const MOST_NAMES = 1_000;

function nameOf(name: string): Name {
  const known = names.get(name);
  if (known !== undefined) return known;
  if (names.size >= MOST_NAMES) names.clear();
  const lower = name.toLowerCase();
  const isSecret = SECRET_FIELDS.has(lower);
  const made = { name, shown: redactText(name), lower, isSecret, isBulky: BULKY_FIELDS.has(lower) };
  names.set(name, made);
  return made;
}

function redactNumber(value: number): number | string {
  if (Number.isInteger(value) && Math.abs(value) < 10 ** (SHORTEST_CARD_NUMBER - 1)) return value;
  // A time in ms has as many digits as a short card number.
  if (Number.isSafeInteger(value) && !isCardNumber(String(Math.abs(value)))) return value;
  const text = redactText(String(value));
  return text === String(value) ? value : text;
}

function redactField({ isSecret, isBulky }: Name, field: unknown): unknown {
  if (field === '' || field === null || field === undefined) return field;
  if (isSecret) return REDACTED;
  if (isBulky) return typeof field === 'string' && /^https?:/.test(field) ? field : REDACTED;
  return redact(field);
}

function isCardNumber(digits: string): boolean {
  return FIRST_DIGITS.test(digits) && passesLuhn(digits);
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]);
    const doubled = place % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/**
 * A body as received, but without card numbers, wherever they stand: only who asked for one gets it. A card token is none,
 * even if it looks like one. As with {@link redact}, parts without any are not copied.
 */
export function withoutCardNumbers<Body extends object>(body: Body): Body {
  return cardsRedacted(body) as Body;
}

function cardsRedacted(value: unknown, name = ''): unknown {
  if (name === 'cardToken') return value;
  if (name === 'unMaskedPan' && value) return REDACTED;
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'number') return redactNumber(value);
  if (Array.isArray(value)) return elements(value, (element) => cardsRedacted(element));
  if (value === null || typeof value !== 'object') return value;
  return mapped(value as Record<string, unknown>, ({ name }, field) => cardsRedacted(field, name));
}

/** Shorter than any secret that is one: replacing it would break words of the text. */
const SHORTEST_SECRET = 12;

/** What the service sends must not carry the key or the callback token of the request any further. */
export function withoutSecrets(text: string, secrets: readonly (string | undefined)[]): string {
  return secrets.reduce<string>(
    (left, secret = '') => (secret.length < SHORTEST_SECRET ? left : left.replaceAll(secret, REDACTED)),
    text,
  );
}

/** What is left of a redacted object: its other fields. */
export function withoutRedacted(redacted: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(redacted).filter(([, value]) => value !== REDACTED));
}
