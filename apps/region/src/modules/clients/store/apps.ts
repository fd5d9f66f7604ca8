import type { ClientId, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { AppSettings, ChangeableSettings, ClientName } from '../model.ts'

type AppRow = AppSettings & { readonly clientId: ClientId }

const APP = `client_id as "clientId", require_2fa as "requireTwoFactor", claims_delivery as "claimsDelivery", claims,
  public_key as "publicKey", encrypted_private_key as "encryptedPrivateKey"`

export async function insertApp(tx: Tx, { companyId, clientId }: ClientName, app: AppSettings): Promise<void> {
  await runStatement(
    tx,
    `insert into clients.signin_app
      (company_id, client_id, require_2fa, claims_delivery, claims, public_key, encrypted_private_key)
    values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      companyId,
      clientId,
      app.requireTwoFactor,
      app.claimsDelivery,
      JSON.stringify(app.claims),
      app.publicKey,
      JSON.stringify(app.encryptedPrivateKey),
    ],
  )
}

export async function updateApp(tx: Tx, { companyId, clientId }: ClientName, app: ChangeableSettings): Promise<void> {
  await runStatement(
    tx,
    `update clients.signin_app set require_2fa = $3, claims_delivery = $4, claims = $5
    where company_id = $1 and client_id = $2`,
    [companyId, clientId, app.requireTwoFactor, app.claimsDelivery, JSON.stringify(app.claims)],
  )
}

export function listApps(read: Read, companyId: UserId, clientIds: readonly ClientId[]): Promise<readonly AppRow[]> {
  return runStatement<AppRow>(
    read,
    `select ${APP} from clients.signin_app where company_id = $1 and client_id = any($2)`,
    [companyId, clientIds],
  )
}

export async function findApp(read: Read, { companyId, clientId }: ClientName): Promise<AppSettings | null> {
  const [row] = await listApps(read, companyId, [clientId])
  return row ?? null
}
