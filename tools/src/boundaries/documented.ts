import { join } from 'node:path'
import { type Check, firstCellNames, OWN_SCOPE, readText, readJson, asRecord } from './workspace.ts'

const DEPENDENCIES_PAGE = 'docs/dependencies.md'
const COMMANDS_PAGE = 'tools/README.md'

/** `docs/dependencies.md` has a row for every dependency and for no other package. */
export const checkDocumented: Check = ({ root, manifests }) => {
  const page = readText(join(root, DEPENDENCIES_PAGE))
  if (page === null) return [`${DEPENDENCIES_PAGE} is missing: it gives the reason for every dependency`]
  const declared = new Set(manifests.flatMap(({ dependencies }) => [...dependencies.keys()]))
  const foreign = [...declared].filter((name) => !name.startsWith(OWN_SCOPE)).toSorted()
  const missing = foreign.filter((name) => !page.includes(`\`${name}\``))
  const stale = firstCellNames(page).filter((name) => !declared.has(name))
  return [
    ...missing.map((name) => `${DEPENDENCIES_PAGE} has no line for \`${name}\``),
    ...stale.map((name) => `${DEPENDENCIES_PAGE} has a row for \`${name}\`, which no package declares`),
  ]
}

/** `tools/README.md` has a row for every script of the root package.json, and for no other command. */
export const checkCommands: Check = ({ root }) => {
  const scripts = Object.keys(asRecord(readJson(join(root, 'package.json'))['scripts']))
  const listed = firstCellNames(readText(join(root, COMMANDS_PAGE)) ?? '')
  return [
    ...scripts
      .filter((name) => !listed.includes(name))
      .map((name) => `${COMMANDS_PAGE} has no row for npm run ${name}`),
    ...listed
      .filter((name) => !scripts.includes(name))
      .map((name) => `${COMMANDS_PAGE} has a row for ${name}, which is no script`),
  ]
}
