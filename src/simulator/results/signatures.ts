/** The default signature, used when none was drawn. */
const SCRAWL = 'M5 30Q20 5 35 25T65 20T95 25L115 15';

/** The signatures drawn on the terminals' screens. */
export class Signatures {
  private readonly drawn = new Map<string, string>();

  /** @param drawing path data of SVG, in a field of 120 by 40 */
  keep(transactionId: string, drawing: string): void {
    this.drawn.set(transactionId, drawing);
  }

  picture(transactionId: string): string {
    const drawing = this.drawn.get(transactionId) ?? SCRAWL;
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><path d="${drawing}" fill="none" ` +
      'stroke="black" stroke-linecap="round" stroke-linejoin="round"/></svg>'
    );
  }
}
