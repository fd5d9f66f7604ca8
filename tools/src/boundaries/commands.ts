import { join } from 'node:path'
import { firstCellNames, readJson, readText, asRecord, type Check } from './workspace.ts'

const PAGE = 'tools/README.md'

/** `tools/README.md` has a row for every script of the root package.json, and for no other command. */
export const checkCommands: Check = ({ root }) => {
  const scripts = Object.keys(asRecord(readJson(join(root, 'package.json'))['scripts']))
  const listed = firstCellNames(readText(join(root, PAGE)) ?? '')
  return [
    ...scripts.filter((name) => !listed.includes(name)).map((name) => `${PAGE} has no row for npm run ${name}`),
    ...listed
      .filter((name) => !scripts.includes(name))
      .map((name) => `${PAGE} has a row for ${name}, which is no script`),
  ]
}
