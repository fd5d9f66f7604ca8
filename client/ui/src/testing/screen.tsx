import { computeAccessibleName, getRole } from 'dom-accessibility-api'
import { act, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { onTestFinished, vi } from 'vitest'
import type { Language } from '../words/language.ts'
import { createWords } from '../words/provider.tsx'
import { uiWords as german } from '../words/ui/de.ts'
import { uiWords as english } from '../words/ui/en.ts'
import { click, press, type } from './hands.ts'

export interface ScreenOptions {
  readonly language?: Language
  /** The words of the app, where what is drawn needs them. */
  readonly words?: unknown
}

/** What a person meets, by role and name: as a screen reader says it. Hidden things are not there. */
export interface Screen {
  /** The only one; else the error lists what is there. */
  get(role: string, name?: string | RegExp): HTMLElement
  find(role: string, name?: string | RegExp): HTMLElement | null
  all(role: string, name?: string | RegExp): readonly HTMLElement[]
  /** Everything that is written on the page. */
  readonly text: string
  click(role: string, name?: string | RegExp): Promise<void>
  type(role: string, name: string | RegExp, text: string): Promise<void>
  /** A key, where the focus is: `Enter`, `Control+k`. */
  press(key: string): Promise<void>
  /** Something that the test itself does to what is drawn. */
  act(change: () => void): Promise<void>
  /** For what comes later: an answer, or a popup that opens. */
  until(isSo: () => unknown): Promise<void>
  /** Draws something else in the same place. */
  show(node: ReactNode): Promise<void>
}

/** Draws in a document without a browser. Gone when the test ends. */
export async function openScreen(node: ReactNode, options: ScreenOptions = {}): Promise<Screen> {
  putActs(true)
  const { language = 'en', words = {} } = options
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  onTestFinished(async () => {
    await act(async () => root.unmount())
    document.body.replaceChildren()
  })
  const { WordsProvider, loadWords } = createWords<unknown>({
    en: () => Promise.resolve({ app: words, ui: english }),
    de: () => Promise.resolve({ app: words, ui: german }),
  })
  const first = await loadWords(language)
  const show = (shown: ReactNode): Promise<void> =>
    act(async () => root.render(<WordsProvider first={first}>{shown}</WordsProvider>))
  await show(node)
  const screen = { ...look, ...hands, show }
  // A spread would read the text now.
  return Object.defineProperty(screen, 'text', { get: () => textOf(document.body) })
}

const look = {
  get(role: string, name?: string | RegExp): HTMLElement {
    const [found, ...others] = allOf(role, name)
    if (found !== undefined && others.length === 0) return found
    const what = name === undefined ? role : `${role} ${String(name)}`
    throw new Error(`${others.length === 0 ? 'no' : 'more than one'} ${what} among:\n${listOf(document.body)}`)
  },
  find: (role: string, name?: string | RegExp): HTMLElement | null => allOf(role, name)[0] ?? null,
  all: allOf,
  text: '',
}

const hands = {
  click: (role: string, name?: string | RegExp): Promise<void> => act(async () => click(look.get(role, name))),
  type: (role: string, name: string | RegExp, text: string): Promise<void> =>
    act(async () => type(look.get(role, name), text)),
  press: (key: string): Promise<void> => act(async () => press(document.activeElement ?? document.body, key)),
  act: (change: () => void): Promise<void> => act(async () => change()),
  async until(isSo: () => unknown): Promise<void> {
    // React holds drawings back while an act lasts: they must appear while this waits.
    putActs(false)
    try {
      await vi.waitFor(
        () => {
          if (isSo() === false || isSo() === null) throw new Error(`still not so, among:\n${listOf(document.body)}`)
        },
        { interval: 5, timeout: 15_000 },
      )
    } finally {
      putActs(true)
    }
    await act(async () => {})
  },
}

function putActs(isOn: boolean): void {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: isOn })
}

const HIDDEN = '[aria-hidden="true"], [hidden], [inert]'

function allOf(role: string, name?: string | RegExp): readonly HTMLElement[] {
  return [...document.body.querySelectorAll<HTMLElement>('*')].filter(
    (element) => roleOf(element) === role && element.closest(HIDDEN) === null && isNamed(element, name),
  )
}

function roleOf(element: Element): string | null {
  return element.getAttribute('role') ?? getRole(element)
}

function isNamed(element: Element, name: string | RegExp | undefined): boolean {
  if (name === undefined) return true
  const own = computeAccessibleName(element)
  return typeof name === 'string' ? own === name : name.test(own)
}

const SILENT = new Set(['generic', 'presentation', 'none'])

function listOf(body: Element): string {
  return [...body.querySelectorAll('*')]
    .filter((element) => element.closest(HIDDEN) === null)
    .map((element) => ({ role: roleOf(element), name: computeAccessibleName(element) }))
    .filter(({ role }) => role !== null && !SILENT.has(role))
    .map(({ role, name }) => `  ${role} ${name}`)
    .join('\n')
}

function textOf(element: Element): string {
  const parts: string[] = []
  const walk = (node: Node): void => {
    if (node instanceof Element && node.matches(HIDDEN)) return
    if (node.nodeType === Node.TEXT_NODE) parts.push(node.textContent ?? '')
    for (const child of node.childNodes) walk(child)
  }
  walk(element)
  return parts.join(' ').replaceAll(/\s+/gu, ' ').trim()
}
