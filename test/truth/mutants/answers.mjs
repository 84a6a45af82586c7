/** What an answer, a result or a callback of the service means. */
export const ANSWERS = [
  {
    name: 'takes every type for another one',
    file: 'src/core/operation/result-meaning.ts',
    find: 'if (isNamed && TYPES.get(operation)?.includes(type) === false) return true;',
    replace: 'if (isNamed) return true;',
  },
  {
    name: 'takes a tip for an amount that nobody asked for',
    file: 'src/core/operation/result-meaning.ts',
    find: 'Number(amount) + tipAmount + taxAmount',
    replace: 'Number(amount) + taxAmount',
  },
  {
    name: 'takes a card-not-present approval without a code for one',
    world: 'hostile',
    file: 'src/core/api/moto.ts',
    find: "guid !== '' && approvalCode !== '';",
    replace: "guid !== '';",
  },
  {
    name: 'takes an answer that proves nothing for a decline',
    world: 'hostile',
    file: 'src/core/api/back-office.ts',
    find: 'if (proof === decline) throw',
    replace: 'if (proof && decline) throw',
  },
  {
    name: 'takes a capture that does not say how it ended for done',
    world: 'hostile',
    file: 'src/core/api/preauthorization.ts',
    find: "isApproved(read, answer, read.finStatus === 'AUTHORISED', isDeclined(read))",
    replace: 'isApproved(read, answer, !isDeclined(read), isDeclined(read))',
  },
  {
    name: 'takes an approval of another type, amount or currency for what was asked',
    world: 'hostile',
    file: 'src/core/operation/result-meaning.ts',
    find: 'if (contradicts(operation, result, requested)) return UNREADABLE;',
    replace: '',
  },
  {
    name: 'takes the approval of more than was asked for as it is',
    world: 'hostile',
    file: 'src/core/operation/result-meaning.ts',
    find: 'return isAbove(result, requested) ? { meaning, amountDiffers: true } : { meaning };',
    replace: 'return { meaning };',
  },
  {
    name: 'takes a callback whose token is wrong',
    world: 'hostile',
    file: 'src/core/base/callback.ts',
    find: 'return given.length === expected.length && timingSafeEqual(given, expected);',
    replace: 'return given.length > 0 && expected.length > 0;',
  },
  {
    name: 'takes a refund that was done for one that went back',
    file: 'src/core/operation/result-meaning.ts',
    find: "said === 'returned' && kindOf(operation) === 'refund' ? 'approved' : said",
    replace: 'said',
  },
  {
    name: 'tells the whole amount of a partial approval that names none',
    file: 'src/core/operation/result-meaning.ts',
    find: "if (meaning === 'partial' && result.totalAmount === undefined) return UNREADABLE;",
    replace: '',
  },
];
