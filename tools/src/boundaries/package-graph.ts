import { isProduct, mayImport, TESTKIT } from '../../lint/layers.ts'
import { type Check, type Manifest, OWN_SCOPE } from './workspace.ts'

/** A package declares only packages that its layer may use. */
export const checkLayers: Check = ({ manifests }) =>
  manifests.flatMap((from) =>
    ownDependencies(from).flatMap((name) => {
      const to = manifests.find((manifest) => manifest.name === name)
      if (to?.layer === undefined || to.layer === null) return [`${from.folder}: there is no package ${name}`]
      if (from.layer === null || mayImport(from.layer, to.layer)) return []
      if (name === TESTKIT && from.forTests.has(name)) return []
      const advice = name === TESTKIT ? 'it is for tests, so a devDependency at most' : 'arrows only point down'
      return [`${from.folder} declares ${name} of ${to.layer}/: ${advice}`]
    }),
  )

/** Dependencies have no cycles: packages in a cycle are one package. */
export const checkCycles: Check = ({ manifests }) => {
  const byName = new Map(manifests.map((manifest) => [manifest.name, manifest]))
  const done = new Set<string>()
  const problems: string[] = []
  const follow = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) {
      problems.push(`cycle: ${[...path.slice(path.indexOf(name)), name].join(' → ')}`)
      return
    }
    const manifest = byName.get(name)
    if (manifest === undefined || done.has(name)) return
    const needed = ownDependencies(manifest).filter((next) => !manifest.forTests.has(next))
    for (const next of needed) follow(next, [...path, name])
    done.add(name)
  }
  for (const { name } of manifests) follow(name, [])
  return problems
}

/** Own packages are `*`; all others are pinned, so that builds are reproducible. */
export const checkPins: Check = ({ manifests }) =>
  manifests.flatMap(({ folder, dependencies }) =>
    [...dependencies].flatMap(([name, range]) => {
      const isOwn = name.startsWith(OWN_SCOPE)
      if (isOwn ? range === '*' : /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(range)) return []
      const wanted = isOwn ? '"*"' : 'an exact version'
      return [`${folder || 'root'}: ${name} is "${range}", write ${wanted}`]
    }),
  )

/** A package has the name of its folder: `@sealpost/bus` is `io/bus`. */
export const checkNames: Check = ({ manifests }) =>
  manifests.flatMap(({ folder, layer, name }) => {
    if (layer === null) return []
    const wanted = OWN_SCOPE + (isProduct(layer) ? folder.slice(layer.length + 1) : layer)
    return name === wanted ? [] : [`${folder}: is called ${name}, should be ${wanted}`]
  })

function ownDependencies({ dependencies }: Manifest): readonly string[] {
  return [...dependencies.keys()].filter((name) => name.startsWith(OWN_SCOPE))
}
