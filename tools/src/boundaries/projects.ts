import { join } from 'node:path'
import { asRecord, type Check, readJson, readText } from './workspace.ts'

/** A package that the root tsconfig.json does not list is never type-checked. */
export const checkProjects: Check = ({ root, manifests }) => {
  const references = readJson(join(root, 'tsconfig.json'))['references']
  const listed = new Set((Array.isArray(references) ? references : []).map((item) => String(asRecord(item)['path'])))
  return manifests
    .filter(({ layer }) => layer !== null)
    .flatMap(({ folder, layer }) =>
      layer === 'pure' ? [`./${folder}`, `./${folder}/tsconfig.test.json`] : [`./${folder}`],
    )
    .filter((path) => !listed.has(path))
    .map((path) => `tsconfig.json does not reference ${path}: it would never be type-checked`)
}

/** A pure package uses tsconfig.pure.json unchanged: an added library or type would allow I/O. */
export const checkPurity: Check = ({ root, manifests }) =>
  manifests
    .filter(({ layer }) => layer === 'pure')
    .flatMap(({ folder }) => {
      const file = `${folder}/tsconfig.json`
      if (readText(join(root, file)) === null) return [`${file} is missing`]
      const config = readJson(join(root, file))
      const options = asRecord(config['compilerOptions'])
      const problems: string[] = []
      if (config['extends'] !== '../../tsconfig.pure.json')
        problems.push(`${file} must extend ../../tsconfig.pure.json`)
      for (const option of ['lib', 'types', 'typeRoots', 'paths']) {
        if (option in options) problems.push(`${file} sets "${option}": tsconfig.pure.json decides it`)
      }
      if (JSON.stringify(config['include']) !== '["src"]') problems.push(`${file} must include exactly ["src"]`)
      if (JSON.stringify(config['exclude']) !== '["src/**/*.test.ts"]')
        problems.push(`${file} must exclude its tests, ["src/**/*.test.ts"], and nothing else`)
      return problems
    })
