import { createHash } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { KeyPins } from '../keys/pins.ts'

/**
 * Pins in a folder, one small file each, so that several processes can use it at once and a crash leaves every pin whole.
 * Use one folder per account, on a disk that outlives the process; for more than some ten thousand connections, give a
 * table of your database as `pins` instead.
 */
export function filePins(folder: string): KeyPins {
  const root = resolve(folder)
  return {
    async get(name) {
      const text = await readPin(fileOf(root, name))
      if (text === undefined) return undefined
      const [kept, value] = partsOf(text)
      if (kept !== name) throw new Error(`the pin file of ${name} in ${root} is damaged: restore it from a backup`)
      return value
    },
    set: (name, value) => writePin(fileOf(root, name), `${name}\n${value}`),
  }
}

let written = 0

/** Written beside and renamed: a reader sees the old pin or the new one. */
async function writePin(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  written += 1
  const next = `${path}.${process.pid}.${written}`
  try {
    const handle = await open(next, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(next, path)
  } catch (error) {
    await rm(next, { force: true })
    throw error
  }
}

async function readPin(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function partsOf(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('\n')
  return at === -1 ? ['', ''] : [text.slice(0, at), text.slice(at + 1)]
}

/** Names hold slashes and colons, which are not safe in file names everywhere. */
function fileOf(root: string, name: string): string {
  const digest = createHash('sha256').update(name).digest('hex')
  return join(root, digest.slice(0, 2), digest.slice(2))
}
