/** Disks, and what is mounted from where. */
import { alike, plain } from '../apply.ts';
import { findOption } from '../args.ts';
import type { Tool } from '../types.ts';

const ASKS = 'asks the system';
const LIST_FLAG = '-l --list -L -p --print';

const MOUNT: Tool = {
  tier: 'read',
  why: ASKS,
  check: ({ operands, options }, judge) => {
    if (operands.length > 0 || findOption(options, '-a --all --bind'))
      judge.note('elevated', 'changes what is mounted');
  },
};

/** Tools of disks. */
export const DISKS: Readonly<Record<string, Tool>> = {
  mount: MOUNT,
  umount: plain('elevated', 'changes what is mounted'),
  ...alike('elevated', 'changes what is mounted', 'fusermount fusermount3 sshfs udisksctl eject guestmount'),
  ...alike(
    'destructive',
    'overwrites a disk',
    'mkfs mkswap mke2fs mkdosfs wipefs parted sfdisk cfdisk fdisk gdisk sgdisk cgdisk gparted badblocks blkdiscard hdparm sg_format nvme mkisofs-burn dban fsfreeze e2fsck-force tune2fs resize2fs btrfstune xfs_growfs growpart',
  ),
  ...alike(
    'destructive',
    'changes disks',
    'pvremove vgremove lvremove lvreduce pvcreate vgreduce mdadm zpool zfs btrfs dmsetup cryptsetup veracrypt',
  ),
  ...alike(
    'elevated',
    'changes disks',
    'pvmove vgcreate vgextend lvcreate lvextend lvresize lvrename lvchange vgchange fsck e2fsck xfs_repair fstrim growpart resize2fs xfs_growfs tune2fs',
  ),
  ...alike('read', ASKS, 'pvs vgs lvs pvdisplay vgdisplay lvdisplay pvscan vgscan lvscan smartctl'),
  ...Object.fromEntries(
    ['parted', 'fdisk', 'sfdisk', 'gdisk', 'sgdisk'].map(name => [
      name,
      plain('destructive', 'overwrites a disk', { dry: LIST_FLAG }),
    ]),
  ),
  hdparm: plain('elevated', 'changes a disk', {
    flags: [
      [
        '--security-erase --security-erase-enhanced --trim-sector-ranges --write-sector --repair-sector --make-bad-sector',
        'destructive',
        'overwrites a disk',
      ],
    ],
    dry: '-I -i -t -T',
  }),
  nvme: plain('elevated', 'changes a disk', {
    subs: {
      ...alike('read', ASKS, 'list smart-log id-ctrl id-ns error-log version'),
      ...alike('destructive', 'overwrites a disk', 'format sanitize delete-ns write-zeroes write'),
    },
  }),
  badblocks: plain('elevated', 'reads a disk', { flags: [['-w', 'destructive', 'overwrites a disk']] }),
  mdadm: plain('destructive', 'changes disks', { dry: '-D --detail -Q --query -E --examine' }),
  ...alike('elevated', 'changes disks', 'zpool zfs', {
    subs: {
      ...alike('read', ASKS, 'list status get iostat history version diff holds'),
      ...alike(
        'destructive',
        'destroys data',
        'destroy rollback labelclear remove detach offline clear split',
      ),
    },
  }),
  btrfs: plain('elevated', 'changes disks', {
    verbs: [
      [/^(?:delete|del|remove|replace|restore)$/, 'destructive', 'destroys data'],
      [/^(?:show|list|usage|df|status|du|get|stats)$/, 'read', ASKS],
    ],
  }),
  dmsetup: plain('elevated', 'changes disks', {
    subs: {
      ...alike('read', ASKS, 'ls info status table deps'),
      ...alike('destructive', 'destroys data', 'remove remove_all wipe_table clear'),
    },
  }),
  cryptsetup: plain('elevated', 'changes disks', {
    subs: {
      ...alike('read', ASKS, 'status luksDump isLuks benchmark luksUUID'),
      ...alike(
        'destructive',
        'destroys data',
        'luksFormat erase luksErase luksRemoveKey luksKillSlot reencrypt format',
      ),
    },
  }),
  diskutil: plain('elevated', 'changes disks', {
    subs: {
      ...alike('read', ASKS, 'list info activity apfs/list'),
      ...alike(
        'destructive',
        'destroys data',
        'eraseDisk eraseVolume partitionDisk reformat secureErase zeroDisk randomDisk mergePartitions splitPartition resizeVolume apfs/deleteVolume apfs/deleteContainer apfs/eraseVolume deleteVolume',
      ),
    },
  }),
  hdiutil: plain('write', 'works on disk images', {
    subs: {
      ...alike('read', ASKS, 'info imageinfo verify'),
      ...alike('elevated', 'changes what is mounted', 'attach mount detach unmount eject'),
      ...alike('destructive', 'overwrites a disk', 'burn'),
    },
  }),
  tmutil: plain('elevated', 'changes backups', {
    subs: {
      ...alike('read', ASKS, 'status listbackups listlocalsnapshots destinationinfo latestbackup compare'),
      ...alike(
        'destructive',
        'destroys backups',
        'delete deletelocalsnapshots thinlocalsnapshots disable removedestination',
      ),
    },
  }),
  asr: plain('destructive', 'overwrites a disk'),
};
