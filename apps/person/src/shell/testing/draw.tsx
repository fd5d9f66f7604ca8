import type { Failure, Language } from '@sealpost/ui'
import { type Read, type Reads, ReadsContext } from '@sealpost/web-app'
import { prerender } from 'react-dom/static'
import { routes } from '../../routes.ts'
import { words as german } from '../../words/de/index.ts'
import { type Words, words as english } from '../../words/en/index.ts'
import { loadWords, WordsProvider } from '../../words/index.ts'
import { App } from '../app.tsx'
import type { CommandName } from '../worker.ts'
import { samples } from './samples.ts'

export type ReadState = 'ready' | 'empty' | 'pending' | 'failed' | 'offline' | 'old'

export interface Scene {
  readonly language: Language
  /** By its name in `routes.ts`. */
  readonly page: string
  /** How the commands stand that are not ready. */
  readonly states: Readonly<Record<string, ReadState>>
}

export interface Drawn {
  /** The commands by which the page, and what is around it, has read. */
  readonly asked: readonly string[]
  readonly html: string
  /** What a person reads on the page itself, without the frame. */
  readonly text: string
  readonly alerts: number
}

export const pages = Object.keys(routes)

/** Draws a page of the app as it stands when the account is open, without a browser: effects do not run. */
export async function draw({ language, page, states }: Scene): Promise<Drawn> {
  const asked = new Set<string>()
  const removeBrowser = putBrowser(`http://person.example${pathOf(page)}`)
  try {
    const html = await htmlOf(language, readsOf(states, asked))
    const main = /<main.*<\/main>/su.exec(html)?.[0] ?? ''
    const alerts = main.match(/role="alert"/gu)?.length ?? 0
    return { asked: [...asked], html, text: textOf(main), alerts }
  } finally {
    removeBrowser()
  }
}

async function htmlOf(language: Language, reads: Reads): Promise<string> {
  const first = await loadWords(language)
  const { prelude } = await prerender(
    <ReadsContext value={reads}>
      <WordsProvider first={first}>
        <App />
      </WordsProvider>
    </ReadsContext>,
  )
  return new Response(prelude).text()
}

/** Sentences by which the app says that there is nothing; they are true only after something was read. */
export function saysNothing(language: Language, text: string): readonly string[] {
  const words: Words = language === 'de' ? german : english
  const parts = text.split(/\n| · /u)
  const { home, data, connections, messages, papers, flows, approvals, settings } = words
  return [
    home.seen(0),
    home.waits(0),
    data.empty,
    data.sharedWith(0),
    data.field.onlyYou,
    connections.sees.empty,
    connections.sees.none,
    connections.sees.onlyYou,
    messages.empty,
    messages.thread.begin,
    papers.empty,
    flows.empty,
    flows.waiting(0),
    approvals.page.empty,
    settings.devicesPage.empty,
  ].filter((sentence) => parts.some((part) => part === sentence || (sentence.endsWith('.') && part.includes(sentence))))
}

function textOf(html: string): string {
  return html
    .replaceAll(/<[^>]*>/gu, '\n')
    .replaceAll('&amp;', '&')
    .replaceAll('&#x27;', "'")
    .replaceAll(/\n+/gu, '\n')
}

const FAILURE: Failure = { kind: 'refused', key: 'request.unavailable', isPassing: true }
const none = (): void => {}

function readsOf(states: Scene['states'], asked: Set<string>): Reads {
  const isOld = Object.values(states).includes('old')
  return {
    read(key) {
      const known = answers.get(`${JSON.stringify(states)} ${key}`)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- keys are made by `useRead`
      const [name] = JSON.parse(key) as [CommandName]
      asked.add(name)
      const read = known ?? readOf(name, states[name] ?? 'ready')
      answers.set(`${JSON.stringify(states)} ${key}`, read)
      return read
    },
    follow: () => none,
    old: () => (isOld ? OLD : null),
    onOld: () => none,
    forget: none,
  }
}

const OLD = { failure: FAILURE, sinceMs: Date.parse('2026-03-09T10:00:00Z'), again: none }
const answers = new Map<string, Read<unknown>>()

function readOf(name: CommandName, state: ReadState): Read<unknown> {
  const value = samples[name]
  if (value === undefined) throw new Error(`samples.ts has no answer of ${name}`)
  if (state === 'pending') return { state }
  if (state === 'failed') return { state, failure: FAILURE, again: none }
  if (state === 'offline') return { state: 'failed', failure: { kind: 'offline' }, again: none }
  if (state === 'empty') return { state: 'ready', value: Array.isArray(value) ? [] : value }
  return state === 'old' ? { state: 'ready', value, old: OLD } : { state: 'ready', value }
}

/** As the samples name them. */
const PARAMS: Readonly<Record<string, string>> = {
  field: 'f1',
  connection: 'c1',
  paper: 'p1',
  run: 'n1',
  company: 'NRTHWD',
  service: 'INTAKE',
}
const paths: Readonly<Record<string, string>> = routes

function pathOf(page: string): string {
  const path = (paths[page] ?? '/').replaceAll(/:(\w+)/gu, (_match, name: string) => PARAMS[name] ?? '')
  return page === 'consent' ? `${path}?client_id=idw_1` : path
}

/** What a page asks of the browser while it is drawn. Files of tests share a process, in which no page may be left. */
function putBrowser(href: string): () => void {
  const globals = {
    location: new URL(href),
    localStorage: { getItem: () => null },
    window: globalThis,
    navigator: { serviceWorker: {} },
    PushManager: {},
    Notification: {},
    document: { documentElement: { dataset: {} }, visibilityState: 'visible' },
  }
  const before: Readonly<Record<string, PropertyDescriptor>> = Object.getOwnPropertyDescriptors(globalThis)
  for (const [name, value] of Object.entries(globals)) put(name, { value, configurable: true, writable: true })
  return () => {
    for (const name of Object.keys(globals)) put(name, before[name])
  }
}

function put(name: string, descriptor: PropertyDescriptor | undefined): void {
  if (descriptor === undefined) Reflect.deleteProperty(globalThis, name)
  else Object.defineProperty(globalThis, name, descriptor)
}
