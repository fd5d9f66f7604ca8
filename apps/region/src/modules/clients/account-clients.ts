import { formatInstant, type Secret, type UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { type Capability, type PageQueryText, refuse } from '@sealpost/protocol'
import { findAccount } from '../account/index.ts'
import { changeClient, deleteClientForGood, regenerateSecret } from './acts/change.ts'
import { createClient } from './acts/create.ts'
import { type Actor, recordAct } from './audit.ts'
import type { Client } from './client.ts'
import { readClientName } from './names.ts'
import type { ClientsNeeds } from './needs.ts'
import { type PageOf, readClientPage } from './page.ts'
import { type AccountClientWish, isManaged, judgeCapabilityWish, judgeWish } from './rules/account-client.ts'
import { findClient } from './store/clients.ts'

export interface AccountClientShown {
  readonly client_id: string
  readonly name: string
  readonly purpose: string | null
  readonly capabilities: Capability[]
  readonly redirect_uri: string | null
  readonly created_at: string
}

export interface NewAccountClientShown extends Omit<AccountClientShown, 'created_at'> {
  readonly client_secret: string | null
}

export type StoreAnswer<Answer> = (tx: Tx, answer: Answer) => Promise<void>

/** The account client of that id; a stranger's is as unknown as none. */
export async function locateAccountClient(needs: ClientsNeeds, companyId: UserId, id: string): Promise<Client> {
  const name = readClientName(companyId, id)
  const found = name === null ? null : await needs.database.read((read) => findClient(read, name, 'acct'))
  if (found?.state !== 'live') throw refuse('account_clients.not_found')
  return found
}

export async function createAccountClient(
  needs: ClientsNeeds,
  actor: Actor,
  body: Parameters<typeof judgeWish>[0],
  storeAnswer: StoreAnswer<NewAccountClientShown>,
): Promise<NewAccountClientShown> {
  const judged = judgeWish(body)
  if (!judged.ok) throw refuse(judged.refusal)
  return issue(needs, actor, judged.value, storeAnswer)
}

/** For the operator: clients of a reserved purpose, which their owner may only list and delete. */
export async function createManagedClient(
  needs: ClientsNeeds,
  companyId: UserId,
  body: Parameters<typeof judgeWish>[0],
): Promise<NewAccountClientShown> {
  const owner = await needs.database.read((read) => findAccount(read, companyId))
  if (owner?.userType !== 'company') throw new Error(`no company ${companyId} lives here: run this in its home region`)
  const judged = judgeWish(body, true)
  if (!judged.ok) throw refuse(judged.refusal)
  return issue(needs, { companyId, actorId: 'operator' }, judged.value, () => Promise.resolve())
}

async function issue(
  needs: ClientsNeeds,
  actor: Actor,
  { redirectUri, ...wish }: AccountClientWish,
  storeAnswer: StoreAnswer<NewAccountClientShown>,
): Promise<NewAccountClientShown> {
  const redirectUris = redirectUri === null ? [] : [redirectUri]
  const { companyId } = actor
  const facts = { ...wish, companyId, kind: 'acct', serviceId: null, redirectUris, isConfidential: true } as const
  const created = await createClient(needs, facts, {
    async onLive(tx, { client, secret }) {
      await recordAct(tx, needs, actor, 'account_clients.create', client)
      await storeAnswer(tx, showNew(client, secret))
    },
  })
  return showNew(created.client, created.secret)
}

export async function listAccountClients(
  { database }: ClientsNeeds,
  companyId: UserId,
  query: PageQueryText,
): Promise<PageOf<AccountClientShown>> {
  const page = await database.read((read) => readClientPage(read, companyId, 'acct', query))
  return { ...page, items: page.items.map(showAccountClient) }
}

export async function changeAccountClient(
  needs: ClientsNeeds,
  actor: Actor,
  client: Client,
  body: Parameters<typeof judgeCapabilityWish>[0],
): Promise<AccountClientShown> {
  const judged = judgeCapabilityWish(body)
  if (!judged.ok) throw refuse(judged.refusal)
  refuseManaged(client)
  const { capabilities, redirectUri } = judged.value
  const changes = { capabilities, redirectUris: redirectUri === undefined ? undefined : listOf(redirectUri) }
  const changed = await changeClient(needs, client, changes, {
    notFound,
    inTransaction: (tx) => recordAct(tx, needs, actor, 'account_clients.change_capabilities', client),
  })
  return showAccountClient(changed)
}

export async function regenerateAccountClientSecret(
  needs: ClientsNeeds,
  actor: Actor,
  client: Client,
  storeAnswer: StoreAnswer<SecretShown>,
): Promise<SecretShown> {
  refuseManaged(client)
  const secret = await regenerateSecret(needs, client, {
    notFound,
    async inTransaction(tx, changed, fresh) {
      await recordAct(tx, needs, actor, 'account_clients.regenerate_secret', client)
      await storeAnswer(tx, showSecret(changed, fresh))
    },
  })
  return showSecret(client, secret)
}

export async function deleteAccountClient(needs: ClientsNeeds, actor: Actor, client: Client): Promise<void> {
  await deleteClientForGood(needs, client, {
    notFound,
    inTransaction: (tx) => recordAct(tx, needs, actor, 'account_clients.delete', client),
  })
}

export interface SecretShown {
  readonly client_id: string
  readonly client_secret: string | null
}

export function showSecret({ clientId }: Pick<Client, 'clientId'>, secret: Secret<string>): SecretShown {
  return { client_id: clientId, client_secret: secret.reveal() }
}

export function listOf(redirectUri: string | null): readonly string[] {
  return redirectUri === null ? [] : [redirectUri]
}

function refuseManaged(client: Client): void {
  if (isManaged(client)) throw refuse('account_clients.purpose_managed')
}

const notFound = () => refuse('account_clients.not_found')

function showAccountClient(client: Client): AccountClientShown {
  const { clientId, name, purpose, capabilities, redirectUris, createdAt } = client
  return {
    client_id: clientId,
    name,
    purpose,
    capabilities: [...capabilities],
    redirect_uri: redirectUris[0] ?? null,
    created_at: formatInstant(createdAt),
  }
}

function showNew(client: Client, secret: Secret<string> | null): NewAccountClientShown {
  const { created_at: _made, ...shown } = showAccountClient(client)
  return { ...shown, client_secret: secret?.reveal() ?? null }
}
