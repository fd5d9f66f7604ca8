import { join } from 'node:path'
import { checkCommands, checkDocumented } from './documented.ts'
import { checkInstallScripts, checkLicences } from './installed.ts'
import { checkModules } from './modules.ts'
import { checkCycles, checkLayers, checkNames, checkPins } from './package-graph.ts'
import { type Check, readWorkspace } from './workspace.ts'

const CHECKS: Readonly<Record<string, Check>> = {
  'layers point down': checkLayers,
  'no cycles': checkCycles,
  'folder and name agree': checkNames,
  'every module in the table, with README and index': checkModules,
  'exact versions': checkPins,
  'permissive licences': checkLicences,
  'no install scripts': checkInstallScripts,
  'dependencies explained': checkDocumented,
  'commands explained': checkCommands,
}

/** `npm run boundaries`: checks across packages, which lint cannot see. */
function main(): void {
  const workspace = readWorkspace(join(import.meta.dirname, '../../..'))
  let problemCount = 0
  for (const [title, check] of Object.entries(CHECKS)) {
    const problems = check(workspace)
    problemCount += problems.length
    console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${title}`)
    for (const problem of problems) console.log(`     ${problem}`)
  }
  const packageCount = workspace.manifests.length - 1
  console.log(`boundaries: ${problemCount} problems in ${packageCount} packages`)
  if (problemCount > 0) process.exitCode = 1
}

main()
