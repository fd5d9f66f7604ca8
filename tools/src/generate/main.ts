import { fileURLToPath } from 'node:url'
import { findDifferences, readCommitted, writeFiles } from './committed.ts'
import { generatedFiles } from './files.ts'

const USAGE = `npm run generate [-- --check]

Prints docs/api/*.json, docs/commands.md, docs/errors.md, docs/events.md, docs/settings.md, docs/what-stays.md and the SDK's types from the code.
--check writes nothing and exits 1 naming the files that differ.`

const root = fileURLToPath(new URL('../../../', import.meta.url))

async function main(flags: readonly string[]): Promise<number> {
  const isCheck = flags.includes('--check')
  if (flags.some((flag) => flag !== '--check')) {
    console.error(USAGE)
    return 2
  }
  const files = generatedFiles()
  const differences = findDifferences(files, await readCommitted(root, files))
  if (isCheck) return report(differences)
  await writeFiles(root, files, differences)
  for (const { path, what } of differences) console.log(`${what === 'stray' ? 'removed' : 'written'}  ${path}`)
  console.log(`generate: ${files.size} files, ${differences.length} changed`)
  return 0
}

function report(differences: ReturnType<typeof findDifferences>): number {
  for (const { path, what } of differences) console.error(`${path} is ${what}`)
  if (differences.length === 0) console.log('generate: all files are up to date')
  else console.error('generate: run `./run npm run generate` and commit the changes')
  return differences.length === 0 ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))
