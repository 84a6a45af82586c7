import { endianness } from 'node:os';
import { isOwnForm } from '../file/form.js';
import { inSlices, type Pause } from '../slices.js';
import { PageFile } from './page-file.js';
import { checkStructure, type IsKnown, StructureError } from './structure-check.js';

/**
 * LMDB maps its file into memory: a torn or overwritten page can kill the process instead of throwing, and would do so again
 * at every start. So the structure of the file is proved before LMDB opens it, as far as that goes in a short time. What a
 * large file has left is looked at afterwards, in the background.
 */

/** 32-bit systems have another layout of the file. There damage is found by the checksums alone. */
const CAN_CHECK = endianness() === 'LE' && !['arm', 'ia32', 'mipsel'].includes(process.arch);

export type Finding = 'sound' | 'damaged' | 'unfinished';

export class FileCheck {
  private readonly file: PageFile;
  private readonly pages: Iterator<void>;
  /** What is wrong with the file. For the log. */
  damage = '';
  /** What a person has to know of a sound file; empty: nothing. */
  doubt = '';

  constructor(path: string, isKnown: IsKnown = isOwnForm) {
    this.file = new PageFile(path);
    this.pages = checkStructure(this.file, isKnown, (what) => {
      this.doubt = what;
    });
  }

  /**
   * Goes on looking for as long as `pause` lets it.
   * @throws UnknownLayoutError where a newer library wrote the file
   */
  async run(pause: Pause): Promise<Finding> {
    if (this.file.size === 0 || !CAN_CHECK) return 'sound';
    try {
      return (await inSlices(this.pages, pause)) ? 'sound' : 'unfinished';
    } catch (error) {
      if (!(error instanceof StructureError)) throw error;
      this.damage = error.message;
      return 'damaged';
    }
  }

  close(): void {
    this.file.close();
  }
}
