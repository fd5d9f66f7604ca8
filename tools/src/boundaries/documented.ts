import { join } from 'node:path'
import { type Check, OWN_SCOPE, readText } from './workspace.ts'

const PAGE = 'docs/dependencies.md'

/** `docs/dependencies.md` has a line for every dependency and none for what is gone. */
export const checkDocumented: Check = ({ root, manifests }) => {
  const page = readText(join(root, PAGE))
  if (page === null) return [`${PAGE} is missing: it says for every dependency why it and not another`]
  const declared = new Set(manifests.flatMap(({ dependencies }) => [...dependencies.keys()]))
  const foreign = [...declared].filter((name) => !name.startsWith(OWN_SCOPE)).toSorted()
  const missing = foreign.filter((name) => !page.includes(`\`${name}\``))
  const stale = listedFirst(page).filter((name) => !declared.has(name))
  return [
    ...missing.map((name) => `${PAGE} has no line for \`${name}\``),
    ...stale.map((name) => `${PAGE} has a row for \`${name}\`, which no package declares`),
  ]
}

/** The names in the first cell of each table row. */
function listedFirst(page: string): readonly string[] {
  const rows = page.split('\n').map((line) => /^\|([^|]+)\|/.exec(line)?.[1] ?? '')
  return rows.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
}
