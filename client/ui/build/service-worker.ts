import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { build, type Plugin } from 'vite'

/**
 * Writes `/sw.js` after the build, with the files that the app needs without a network. Files that `isOnDemand` names are
 * not among them: they are kept once a page has used them.
 */
export function serviceWorker(source: string, isOnDemand: RegExp | null): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const emitted = Object.keys(bundle).filter(
        (file) => !/\.(html|map)$/.test(file) && isOnDemand?.test(file) !== true,
      )
      const kept = readdirSync(dir).filter((file) => /\.(svg|webmanifest)$/.test(file))
      const shell = ['/', ...[...emitted, ...kept].map((file) => `/${file}`)].toSorted()
      await build({
        configFile: false,
        logLevel: 'warn',
        publicDir: false,
        define: { SHELL_FILES: JSON.stringify(shell), SHELL_VERSION: JSON.stringify(versionOf(bundle)) },
        build: {
          outDir: dir,
          emptyOutDir: false,
          target: 'es2024',
          modulePreload: false,
          rolldownOptions: { input: source, output: { entryFileNames: 'sw.js', format: 'es' } },
        },
      })
    },
  }
}

type Bundle = Readonly<
  Record<
    string,
    { readonly type: 'chunk'; readonly code: string } | { readonly type: 'asset'; readonly source: string | Uint8Array }
  >
>

function versionOf(bundle: Bundle): string {
  const hash = createHash('sha256')
  for (const [name, output] of Object.entries(bundle))
    hash.update(name).update(output.type === 'chunk' ? output.code : output.source)
  return hash.digest('hex').slice(0, 12)
}
