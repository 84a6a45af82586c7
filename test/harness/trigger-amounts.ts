/** What amounts of a sale bring about at the DEMO merchant: amounts in minor units, `finStatus`, code, minor units moved. */
export const SALE_TRIGGERS: readonly [amounts: string, finStatus: string, code: string, moved: number][] = [
  ['3779', 'DECLINED', '01', 0],
  ['3784', 'DECLINED', '05', 0],
  ['3793', 'DECLINED', '04', 0],
  ['3757', 'PARTIAL_APPROVAL', '00', 1100],
  ['3768', 'FAILED', '00', 0],
  ['3741', 'FAILED', '00', 0],
  ['6165', 'DECLINED', '61', 0],
  ['155 165 1102 1104 1110 1112 1114 1115 1116 1117 1118 1119', 'DECLINED', '65', 0],
  ['1101 1103 1109 1111', 'DECLINED', '70', 0],
];
