import { SessionContext } from '@sealpost/session'
import type { Language } from '@sealpost/ui'
import { openScreen, type Screen } from '@sealpost/ui/testing'
import { answerCommands, type AnsweringWorker, type Answers } from '@sealpost/web-app/testing'
import type { ReactNode } from 'react'
import type { Commands } from '../shell/worker.ts'
import { words as german } from '../words/de/index.ts'
import { words as english } from '../words/en/index.ts'

export interface OpenedPage {
  readonly screen: Screen
  readonly worker: AnsweringWorker
}

const SESSION = {
  state: 'open',
  email: 'portal@northwind.example',
  displayName: 'Northwind Clinic',
  shareCode: 'NRTHWD',
  region: 'eu',
  unlock: null,
  hasPassword: true,
} as const

/** A page of an open account, with a worker that answers like this. */
export async function openPage(
  page: ReactNode,
  answers: Answers<Commands>,
  language: Language = 'en',
): Promise<OpenedPage> {
  const worker = answerCommands<Commands>(answers)
  const words = language === 'en' ? english : german
  const screen = await openScreen(<SessionContext value={SESSION}>{page}</SessionContext>, { language, words })
  return { screen, worker }
}

/** Texts that companies and customers choose, as an attacker would. */
export const INJECTIONS = [
  '<img src=x onerror="alert(1)">',
  '"><script>alert(1)</script>',
  'javascript:alert(1)',
  '\u202Etxt.exe {{constructor}} ${7*7}',
]
