import Type from 'typebox'

/** The members of package-lock.json that are judged here. */
export const LockFile = Type.Object({
  packages: Type.Record(
    Type.String(),
    Type.Object({
      version: Type.Optional(Type.String()),
      resolved: Type.Optional(Type.String()),
      integrity: Type.Optional(Type.String()),
      hasInstallScript: Type.Optional(Type.Boolean()),
      /** A package of this workspace. */
      link: Type.Optional(Type.Boolean()),
    }),
  ),
})
export type Lock = Type.Static<typeof LockFile>['packages']

/** Installed packages by their path; the workspace's own packages are not among them. */
export function installedOf(lock: Lock): readonly (readonly [string, Lock[string]])[] {
  return Object.entries(lock).filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
}

/** What would let another code be installed than the one that was locked. */
export function findLockProblems(lock: Lock): readonly string[] {
  return installedOf(lock).flatMap(([path, { version, resolved, integrity, hasInstallScript }]) => [
    ...(version === undefined ? [`${path} has no version`] : []),
    ...(integrity?.startsWith('sha512-') === true ? [] : [`${path} has no sha512 hash: install it from a registry`]),
    ...(isFromRegistry(resolved) ? [] : [`${path} comes from ${resolved}: use a published version`]),
    ...(hasInstallScript === true ? [`${path} runs a script when it is installed: use another package`] : []),
  ])
}

/** Where the address is left out, npm takes the registry that it is configured with; the hash decides. */
function isFromRegistry(resolved: string | undefined): boolean {
  return resolved === undefined || resolved.startsWith('https://')
}
