import Type from 'typebox'
import { installedOf, type Lock } from './lock.ts'

/** A CycloneDX document, as far as it is read here. */
export const Sbom = Type.Object({
  bomFormat: Type.String(),
  components: Type.Array(
    Type.Object({
      name: Type.String(),
      version: Type.String(),
      hashes: Type.Optional(Type.Array(Type.Object({ alg: Type.String(), content: Type.String() }))),
    }),
  ),
})
export type Sbom = Type.Static<typeof Sbom>

/** Packages of the lock that the document leaves out or names without a hash. */
export function findSbomProblems(sbom: Sbom, lock: Lock): readonly string[] {
  if (sbom.bomFormat !== 'CycloneDX') return [`the document is ${sbom.bomFormat} and not CycloneDX`]
  const named = new Map(sbom.components.map((component) => [`${component.name}@${component.version}`, component]))
  return installedOf(lock).flatMap(([path, { version }]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const component = named.get(`${name}@${version}`)
    if (component === undefined) return [`the document leaves out ${name}@${version}`]
    return (component.hashes ?? []).length > 0 ? [] : [`the document has no hash of ${name}@${version}`]
  })
}
