import { join } from 'node:path'
import { bundledForNode } from '@sealpost/ui/build'
import type { Plugin } from 'vite'

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
export function openDrawing(): Promise<Drawing> {
  const root = join(import.meta.dirname, '..')
  return bundledForNode<Drawing>({ root, entry: 'src/shell/testing/draw.tsx', plugins: [withoutPdf] })
}
