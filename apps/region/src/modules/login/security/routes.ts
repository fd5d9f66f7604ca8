import { formatInstant, parseUuid, Secret } from '@sealpost/kernel'
import {
  addTrustedDevice,
  changeEmail,
  changePassword as changePasswordRoute,
  confirmDeletion as confirmDeletionRoute,
  confirmEmail,
  disableSecondFactor as disableRoute,
  enableSecondFactor,
  endSession as endSessionRoute,
  listSessions,
  listTrustedDevices as listRoute,
  readSecondFactor as readRoute,
  readTrustedDevice,
  refuse,
  removeTrustedDevice,
  renameTrustedDevice as renameRoute,
  requestDeletion as requestDeletionRoute,
  requestDeviceOptions,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../platform/bind-route.ts'
import { listPage, pageInMemory } from '../../../platform/page.ts'
import type { LoginContext } from '../context.ts'
import { confirmDeletion, requestDeletion } from './operations/deletion.ts'
import {
  addDevice,
  findTrustedDevice,
  issueChallenge,
  listTrustedDevices,
  type NewDevice,
  removeDevice,
  renameTrustedDevice,
} from './operations/devices.ts'
import { beginEmailChange, confirmEmailChange } from './operations/email.ts'
import { changePassword } from './operations/password.ts'
import {
  beginEnabling,
  confirmEnabling,
  disableSecondFactor,
  readSecondFactor,
  renewBackupCodes,
} from './operations/second-factor.ts'
import { endSession } from './operations/sessions.ts'
import { wrongMember } from './rules/refusals.ts'
import type { Device } from './store/devices.ts'
import { listLiveSessions, type Session } from './store/sessions.ts'
import { deviceToWire, sessionToWire } from './wire.ts'

/** For owners, persons and companies: `callers` of the operations excludes delegates and clients. */
export function bindSecurityRoutes(bind: BindRoute, context: LoginContext): void {
  bindSecondFactor(bind, context)
  bindDevices(bind, context)
  bindSessions(bind, context)
  bindPasswordAndEmail(bind, context)
  bindDeletion(bind, context)
}

function bindSecondFactor(bind: BindRoute, context: LoginContext): void {
  bind({
    operation: readRoute,
    async handle({ caller }) {
      const { enabledAt, backupCodesLeft } = await readSecondFactor(context, caller.userId)
      return {
        enabled: enabledAt !== null,
        enabled_at: enabledAt === null ? null : formatInstant(enabledAt),
        backup_codes_left: backupCodesLeft,
      }
    },
  })
  bind({
    operation: enableSecondFactor,
    async handle({ caller: { userId }, body: { auth_verifier: verifier, code } }) {
      if (verifier === undefined) {
        if (code === undefined) throw wrongMember('', 'needs auth_verifier to begin, or code to confirm')
        return { enabled: true, backup_codes: [...(await confirmEnabling(context, userId, code))] }
      }
      const proof = { verifier: new Secret(verifier), code: code ?? '' }
      if (code !== undefined)
        return { enabled: true, backup_codes: [...(await renewBackupCodes(context, userId, proof))] }
      const { secret, url } = await beginEnabling(context, userId, proof.verifier)
      return { enabled: false, secret, otpauth_url: url }
    },
  })
  bind({
    operation: disableRoute,
    async handle({ caller, body }) {
      await disableSecondFactor(context, caller.userId, { verifier: new Secret(body.auth_verifier), code: body.code })
      return undefined
    },
  })
}

const devices = { name: 'devices', idOf: ({ id }: Device) => id, toWire: deviceToWire }

function bindDevices(bind: BindRoute, context: LoginContext): void {
  bind({
    operation: listRoute,
    async handle({ caller, query }) {
      return pageInMemory(devices, query, await listTrustedDevices(context, caller.userId))
    },
  })
  bind({
    operation: readTrustedDevice,
    async handle({ caller, params }) {
      const id = parseUuid<string>(params.id)
      const device = id === null ? null : await findTrustedDevice(context, caller.userId, id)
      if (device === null) throw refuse('request.not_found')
      return deviceToWire(device)
    },
  })
  bind({
    operation: requestDeviceOptions,
    async handle({ caller, body }) {
      const { challenge, options } = await issueChallenge(context, caller.userId, body.kind)
      return { challenge, public_key: options }
    },
  })
  bind({
    operation: addTrustedDevice,
    async handle({ caller, body }) {
      const { auth_verifier: verifier, name, challenge } = body
      const fresh = { verifier: new Secret(verifier), name, challenge, proof: readProof(body) }
      return deviceToWire(
        await addDevice(context, { userId: caller.userId, sessionId: caller.claims.sessionId }, fresh),
      )
    },
  })
  bind({
    operation: renameRoute,
    async handle({ caller, params, body }) {
      const id = parseUuid<string>(params.id)
      const device = id === null ? null : await renameTrustedDevice(context, caller.userId, id, body.name)
      if (device === null) throw refuse('request.not_found')
      return deviceToWire(device)
    },
  })
  bind({
    operation: removeTrustedDevice,
    async handle({ caller, params }) {
      const id = parseUuid<string>(params.id)
      const isRemoved = id !== null && (await removeDevice(context, caller.userId, id))
      if (!isRemoved) throw refuse('request.not_found')
      return undefined
    },
  })
}

function bindSessions(bind: BindRoute, context: LoginContext): void {
  const { database, clock } = context
  bind({
    operation: listSessions,
    handle({ caller: { userId, claims }, query }) {
      const toWire = (session: Session) => sessionToWire(session, claims.sessionId)
      return listPage({ name: 'sessions', idOf: ({ id }: Session) => id, toWire }, query, (slice) =>
        database.read((read) => listLiveSessions(read, userId, clock.now(), slice)),
      )
    },
  })
  bind({
    operation: endSessionRoute,
    async handle({ caller, params }) {
      const id = parseUuid<string>(params.id)
      if (id === null || !(await endSession(context, caller.userId, id))) throw refuse('session.not_found')
      return undefined
    },
  })
}

function bindPasswordAndEmail(bind: BindRoute, context: LoginContext): void {
  bind({
    operation: changePasswordRoute,
    async handle({ caller, body }) {
      await changePassword(context, {
        userId: caller.userId,
        sessionId: caller.claims.sessionId,
        current: new Secret(body.current_auth_verifier),
        verifier: new Secret(body.auth_verifier),
        wraps: {
          kdf: body.kdf,
          encryptedPrivateKey: body.encrypted_private_key,
          encryptedRecoveryKey: body.encrypted_recovery_key ?? null,
        },
      })
      return { status: 'changed' as const }
    },
  })
  bind({
    operation: changeEmail,
    async handle({ caller, body }) {
      await beginEmailChange(context, caller.userId, body.email, new Secret(body.auth_verifier))
      return { status: 'mail_sent' as const }
    },
  })
  bind({
    operation: confirmEmail,
    handle: async ({ caller, body }) => ({ email: await confirmEmailChange(context, caller.userId, body.code) }),
  })
}

function bindDeletion(bind: BindRoute, context: LoginContext): void {
  bind({
    operation: requestDeletionRoute,
    async handle({ caller }) {
      await requestDeletion(context, caller.userId)
      return { status: 'mail_sent' as const }
    },
  })
  bind({
    operation: confirmDeletionRoute,
    async handle({ caller, body }) {
      await confirmDeletion(context, { userId: caller.userId, sessionId: caller.claims.sessionId, code: body.code })
      return { status: 'deleted' as const }
    },
  })
}

interface DeviceBody {
  readonly kind: 'passkey' | 'device_key'
  readonly credential?: Extract<NewDevice['proof'], { kind: 'passkey' }>['credential']
  readonly public_key?: string
  readonly signature?: string
}

function readProof({ kind, credential, public_key: publicKey, signature }: DeviceBody): NewDevice['proof'] {
  if (kind === 'passkey') {
    if (credential === undefined) throw wrongMember('/credential', 'is needed for a passkey')
    return { kind, credential }
  }
  if (publicKey === undefined) throw wrongMember('/public_key', 'is needed for a device key')
  if (signature === undefined) throw wrongMember('/signature', 'is needed for a device key')
  return { kind, publicKey, signature }
}
