import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand, runsAsRoot, type ScenarioContext } from '@sealpost/testkit'

/** A file system of a few megabytes in memory, on which a program can run out of space. */
export interface SmallDisk {
  readonly folder: string
  fill(): void
  free(): void
}

export interface SmallDiskOptions {
  readonly megabytes: number
  /** The owner of the folder; this process by default. */
  readonly owner?: string
}

const BLOCK = Buffer.alloc(4096)

/** Null where this process may not mount: without root, and in most containers. */
export async function mountSmallDisk(
  context: ScenarioContext,
  { megabytes, owner }: SmallDiskOptions,
): Promise<SmallDisk | null> {
  if (!runsAsRoot()) return null
  const root = mkdtempSync(join(tmpdir(), 'sealpost-small-disk-'))
  try {
    await runCommand({ file: 'mount', args: ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', root] })
  } catch {
    rmSync(root, { recursive: true })
    return null
  }
  context.onEnd(async () => {
    await runCommand({ file: 'umount', args: ['--lazy', root] })
    rmSync(root, { recursive: true })
  })
  const folder = join(root, 'content')
  await runCommand({ file: 'install', args: ['-d', ...(owner === undefined ? [] : ['-o', owner]), folder] })
  await runCommand({ file: 'chmod', args: ['755', root] })
  const ballast = join(root, 'ballast')
  return { folder, fill: () => fill(ballast), free: () => rmSync(ballast) }
}

function fill(path: string): void {
  const file = openSync(path, 'a')
  try {
    for (;;) writeSync(file, BLOCK)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    closeSync(file)
  }
}
