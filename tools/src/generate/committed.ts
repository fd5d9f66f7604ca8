import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Paths from the root of the repository → text. */
export type Files = ReadonlyMap<string, string>

export interface Difference {
  readonly path: string
  readonly what: 'missing' | 'out of date' | 'stray'
}

/** Folders that contain generated files only; any other file there is stray. */
const GENERATED_FOLDERS: readonly string[] = ['docs/api']

/** The present text of every generated file, and of every file in the generated folders. */
export async function readCommitted(root: string, files: Files): Promise<Files> {
  const listed = await Promise.all(GENERATED_FOLDERS.map(async (folder) => listFolder(root, folder)))
  const paths = new Set([...files.keys(), ...listed.flat()])
  const read = await Promise.all([...paths].map(async (path) => [path, await readText(join(root, path))] as const))
  return new Map(read.flatMap(([path, text]) => (text === null ? [] : [[path, text] as const])))
}

export function findDifferences(generated: Files, committed: Files): readonly Difference[] {
  const differences: Difference[] = []
  for (const [path, text] of generated) {
    const present = committed.get(path)
    if (present === undefined) differences.push({ path, what: 'missing' })
    else if (present !== text) differences.push({ path, what: 'out of date' })
  }
  for (const path of committed.keys()) {
    if (!generated.has(path)) differences.push({ path, what: 'stray' })
  }
  return differences
}

export async function writeFiles(root: string, files: Files, differences: readonly Difference[]): Promise<void> {
  for (const { path } of differences) {
    const text = files.get(path)
    if (text === undefined) {
      await rm(join(root, path))
      continue
    }
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
}

async function listFolder(root: string, folder: string): Promise<string[]> {
  try {
    return (await readdir(join(root, folder))).map((name) => `${folder}/${name}`)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
