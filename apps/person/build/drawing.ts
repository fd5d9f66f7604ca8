import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { webConfig } from '@sealpost/ui/build'
import { build, type Plugin } from 'vite'

const ROOT = join(import.meta.dirname, '..')
/** The bundle imports React from where it lies; npm makes this folder, in the root only. */
const PACKAGES = join(ROOT, '../../node_modules')

export type ReadState = 'ready' | 'empty' | 'pending' | 'failed' | 'offline' | 'old'
export type Language = 'en' | 'de'

/** What `src/shell/testing/draw.tsx` has, as Node sees it: its types are those of a browser. */
export interface Drawing {
  readonly pages: readonly string[]
  readonly draw: (scene: {
    readonly language: Language
    readonly page: string
    readonly states: Readonly<Record<string, ReadState>>
  }) => Promise<Drawn>
  readonly saysNothing: (language: Language, text: string) => readonly string[]
}

export interface Drawn {
  readonly asked: readonly string[]
  readonly html: string
  readonly text: string
  readonly alerts: number
}

/** What draws PDFs needs a browser from its first line on. */
const withoutPdf: Plugin = {
  name: 'without-pdf',
  enforce: 'pre',
  resolveId: (source) => (source.endsWith('/pdf-pages.tsx') ? '\0pdf-pages' : null),
  load: (id) => (id === '\0pdf-pages' ? 'export default () => null' : null),
}

/** Bundles the pages for Node, which knows neither JSX nor styles. */
export async function openDrawing(): Promise<Drawing> {
  const outDir = await mkdtemp(join(PACKAGES, '.drawing-'))
  const { plugins, ...config } = webConfig({ root: ROOT, serviceWorker: '' })
  await build({
    ...config,
    // The service worker has no page.
    plugins: [...(plugins ?? []).filter((plugin) => Array.isArray(plugin)), withoutPdf],
    build: {
      target: 'node24',
      ssr: 'src/shell/testing/draw.tsx',
      outDir,
      minify: false,
      rolldownOptions: { output: { codeSplitting: false } },
    },
    ssr: { noExternal: true, external: ['react', 'react-dom'] },
  })
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what was bundled
    return (await import(pathToFileURL(join(outDir, 'draw.js')).href)) as Drawing
  } finally {
    await rm(outDir, { recursive: true })
  }
}
