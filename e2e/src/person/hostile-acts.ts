import type { Page } from 'playwright-core'
import type { HostileServer, Lie } from '../hostile-server/proxy.ts'
import { go } from './acts.ts'
import type { HostileStage } from './hostile-stage.ts'
import { attempt } from './shop.ts'

export interface PageLie {
  /** What the server claims. */
  readonly name: string
  readonly server: (stage: HostileStage) => HostileServer
  readonly lie: (stage: HostileStage) => Lie
  readonly act: (stage: HostileStage, page: Page, tell: () => void) => Promise<void>
  /** What the person reads. */
  readonly words: string
}

export const us = ({ app }: HostileStage): HostileServer => app.us
export const door = ({ app }: HostileStage): HostileServer => app.door

let secrets = 0
export const SECRET = /secret \d+ of Mara/

function newSecret(): string {
  secrets += 1
  return `secret ${secrets} of Mara`
}

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const section = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) })

export async function save({ mara }: HostileStage, page: Page, tell: () => void): Promise<void> {
  await go(page, `/data/${mara.field('first_name')}`)
  await page.getByLabel('First name').fill(newSecret())
  tell()
  await button(page, 'Save').click()
}

/** The page is honest; the lie begins when the person has decided. */
export async function connect(stage: HostileStage, page: Page, tell: () => void): Promise<void> {
  await connectAt(`/connect/${stage.gym.code}`, page, tell)
}

/** By the link that the company has given out, which names its key. */
export async function connectByLink(stage: HostileStage, page: Page, tell: () => void): Promise<void> {
  await connectAt(linkOf(stage), page, tell)
}

export const linkOf = ({ gym, gymFingerprint }: HostileStage): string => `/connect/${gym.code}#k=${gymFingerprint}`

async function connectAt(path: string, page: Page, tell: () => void): Promise<void> {
  await go(page, path)
  await section(page, 'A note')
    .getByRole('radio', { name: /Write it now|Something else/ })
    .check()
  await section(page, 'A note').getByLabel('A note', { exact: true }).fill(newSecret())
  tell()
  await button(page, 'Connect and share').click()
}

export async function giveLater({ connectionId }: HostileStage, page: Page, tell: () => void): Promise<void> {
  await go(page, `/connections/${connectionId}`)
  await button(page, 'Decide: A note').or(button(page, 'Change: A note')).click()
  await page.getByRole('radio', { name: /Write it now|Something else/ }).check()
  await page.getByLabel('A note', { exact: true }).fill(newSecret())
  tell()
  await button(page, 'Give it').click()
}

export async function signInAt({ shop }: HostileStage, page: Page, tell: () => void): Promise<void> {
  await go(page, `/consent?${new URLSearchParams(attempt(shop.app, { scope: 'openid' }).query).toString()}`)
  await page.getByRole('heading', { name: 'Sign in at Harborline Bank?' }).waitFor()
  await page.getByLabel('Write it now').first().check()
  await page.getByLabel('mail', { exact: true }).fill('mara@post.example')
  tell()
  await button(page, 'Sign in').click()
}

export async function signInWithProof({ pharmacy }: HostileStage, page: Page, tell: () => void): Promise<void> {
  tell()
  await go(page, `/consent?${new URLSearchParams(attempt(pharmacy.app, { scope: 'openid' }).query).toString()}`)
}

export async function logIn({ mara }: HostileStage, page: Page, tell: () => void): Promise<void> {
  tell()
  await page.getByLabel('E-mail address').fill(mara.email)
  await page.getByLabel('Password', { exact: true }).fill(mara.password)
  await button(page, 'Sign in').click()
}

export const show =
  (path: string) =>
  async (_: HostileStage, page: Page, tell: () => void): Promise<void> => {
    await go(page, '/settings')
    tell()
    await go(page, path)
  }

/** A sign-in that no company has asked about. */
export function cardOf(id: string): unknown {
  return {
    id,
    company: { user_id: '019a0000-0000-7000-8000-00000000cccc', display_name: 'Evil Bank' },
    service: { service_id: '019a0000-0000-7000-8000-00000000dddd', name: 'Login' },
    context: null,
    number_matching: false,
    created_at: '2026-05-01T09:00:00Z',
    expires_at: '2099-05-01T09:05:00Z',
  }
}
