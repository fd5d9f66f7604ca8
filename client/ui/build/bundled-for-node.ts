import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import react from '@vitejs/plugin-react'
import { build, type Plugin } from 'vite'

/** The bundle imports React from where it lies; npm makes this folder, in the root only. */
const PACKAGES = join(import.meta.dirname, '../../../node_modules')

export interface NodeBundle {
  /** The folder of the app. */
  readonly root: string
  readonly entry: string
  readonly plugins?: readonly Plugin[]
}

/** Pages of an app for Node, which knows neither JSX nor styles: the exports of the entry. */
export async function bundledForNode<Exports>({ root, entry, plugins = [] }: NodeBundle): Promise<Exports> {
  const outDir = await mkdtemp(join(PACKAGES, '.drawing-'))
  try {
    await build({
      configFile: false,
      root,
      logLevel: 'warn',
      plugins: [react(), ...plugins],
      build: {
        target: 'node24',
        ssr: entry,
        outDir,
        minify: false,
        rolldownOptions: { output: { codeSplitting: false, entryFileNames: 'pages.js' } },
      },
      ssr: { noExternal: true, external: ['react', 'react-dom'] },
    })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what was bundled
    return (await import(pathToFileURL(join(outDir, 'pages.js')).href)) as Exports
  } finally {
    await rm(outDir, { recursive: true })
  }
}
