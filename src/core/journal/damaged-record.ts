import { JournalError } from '../base/errors.js';

/** A record that is not what was written, or that is gone though something leads to it. */
export class DamagedRecordError extends JournalError {
  /**
   * @param sequence of the record, or what is found in its place
   * @param disk the one that a person has to check
   * @param reference the words that name the payment, if any are known
   */
  constructor(
    readonly sequence: number | string,
    { is, disk, reference }: { is: 'damaged' | 'missing'; disk: string; reference?: string },
  ) {
    super(
      `record ${sequence} of the journal is ${is}. What it said of its payment is not known: look the payment up by its ` +
        `reference${reference === undefined ? '' : `, ${reference}`}, and check ${disk}`,
    );
  }
}
