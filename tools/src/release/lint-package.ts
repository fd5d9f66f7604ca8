import { readFileSync } from 'node:fs'
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import type { PackedPackage } from './packages.ts'

/** Everything that publint and "are the types wrong" find in a packed package. */
export async function lintPackage({ name, folder, tarball }: PackedPackage): Promise<readonly string[]> {
  const { messages, pkg } = await publint({ pkgDir: folder, level: 'warning', strict: true, pack: false })
  const analysis = await checkPackage(createPackageFromTarballData(readFileSync(tarball)))
  // A command has no types.
  const problems = analysis.types === false ? [] : analysis.problems.filter(isOurs)
  return [
    ...messages.map((message) => `${name}: ${formatMessage(message, pkg) ?? message.code}`),
    ...problems.map((problem) => `${name}: ${describe(problem)}`),
  ]
}

/** The packages are ES modules with `exports`: neither `require` of old versions nor the resolution of Node 10 is meant. */
function isOurs(problem: Problem): boolean {
  if (problem.kind === 'CJSResolvesToESM') return false
  return !('resolutionKind' in problem && problem.resolutionKind === 'node10')
}

function describe(problem: Problem): string {
  const place = 'entrypoint' in problem ? `${problem.entrypoint} (${problem.resolutionKind})` : 'the package'
  return `${problem.kind} at ${place}`
}
