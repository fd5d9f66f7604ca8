import { join } from 'node:path'
import { type Check, firstCellNames, OWN_SCOPE, readText } from './workspace.ts'

const PAGE = 'docs/dependencies.md'

/** `docs/dependencies.md` has a row for every dependency and for no other package. */
export const checkDocumented: Check = ({ root, manifests }) => {
  const page = readText(join(root, PAGE))
  if (page === null) return [`${PAGE} is missing: it gives the reason for every dependency`]
  const declared = new Set(manifests.flatMap(({ dependencies }) => [...dependencies.keys()]))
  const foreign = [...declared].filter((name) => !name.startsWith(OWN_SCOPE)).toSorted()
  const missing = foreign.filter((name) => !page.includes(`\`${name}\``))
  const stale = firstCellNames(page).filter((name) => !declared.has(name))
  return [
    ...missing.map((name) => `${PAGE} has no line for \`${name}\``),
    ...stale.map((name) => `${PAGE} has a row for \`${name}\`, which no package declares`),
  ]
}
