import { SessionContext, type SessionState } from '@sealpost/session'
import { PageNotice } from '@sealpost/ui'
import { openScreen, type Screen } from '@sealpost/ui/testing'
import { OldNotice } from '@sealpost/web-app'
import { type AnsweringWorker, answerCommands, type Answers } from '@sealpost/web-app/testing'
import type { ReactNode } from 'react'
import { onTestFinished } from 'vitest'
import { words as german } from '../../words/de/index.ts'
import { words as english } from '../../words/en/index.ts'
import type { Acting } from '../../worker/commands/acting.ts'
import { ActingContext, type ActingHere } from '../acting.tsx'
import type { Commands } from '../worker.ts'

export const CLINIC: Acting = {
  companyId: 'c1',
  name: 'Northwind Clinic',
  shareCode: 'R7TQ4K',
  region: 'eu',
  level: 'pro',
  role: 'owner',
  storage: { bytes: 18_400_000_000, quota: 50_000_000_000 },
}

const SESSION: SessionState = {
  state: 'open',
  email: 'elin@northwind.example',
  displayName: 'Northwind Clinic',
  shareCode: 'R7TQ4K',
  region: 'eu',
  unlock: null,
  hasPassword: true,
}

export interface PageOptions {
  readonly language?: 'en' | 'de'
  readonly acting?: Partial<Acting>
  /** Called when another company is chosen. */
  readonly switchTo?: ActingHere['switchTo']
  /** The address of the page. */
  readonly at?: string
}

export interface OpenedPage extends Screen {
  readonly worker: AnsweringWorker
}

/** Draws a page of an open account of the clinic, with a worker that answers by these functions. */
export async function openPage(
  page: ReactNode,
  answers: Answers<Commands>,
  { language = 'en', acting = {}, switchTo = () => {}, at = '/' }: PageOptions = {},
): Promise<OpenedPage> {
  history.replaceState(null, '', at)
  onTestFinished(() => history.replaceState(null, '', '/'))
  const worker = answerCommands<Commands>(answers)
  const drawn = (
    <SessionContext value={SESSION}>
      <PageNotice value={<OldNotice />}>
        <ActingContext value={{ ...CLINIC, ...acting, switchTo }}>{page}</ActingContext>
      </PageNotice>
    </SessionContext>
  )
  const screen = await openScreen(drawn, { language, words: language === 'en' ? english : german })
  // Not a copy: its `text` is read anew each time.
  return Object.assign(screen, { worker })
}
