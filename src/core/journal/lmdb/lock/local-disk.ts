import { statfs } from 'node:fs/promises';

/** The file systems of Linux that one machine has to itself, by the number that `statfs` gives. */
const LOCAL: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x5846_5342, // xfs
  0x9123_683e, // btrfs
  0x2fc1_2fc1, // zfs
  0xf2f5_2010, // f2fs
  0xca45_1a4e, // bcachefs
  0x794c_7630, // overlayfs
  0x0102_1994, // tmpfs
  0x8584_58f6, // ramfs
  0x2405_1905, // ubifs
  0x4d44, // vfat
  0x2011_bab0, // exfat
  0x7366_746e, // ntfs
]);

/** Whether no other machine can use the folder. False where that cannot be told, as on a network or outside of Linux. */
export async function isOnOneMachine(folder: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const { type } = await statfs(folder);
  // Where numbers are 32 bits wide, large ones come out negative.
  return LOCAL.has(type >>> 0);
}
