import type { CallOptions } from './options.ts'
import { everyItem, pageQuery } from './pages.ts'
import {
  addTrustedDevice,
  changeEmail,
  changePassword,
  confirmDeletion,
  confirmEmail,
  disableSecondFactor,
  enableSecondFactor,
  endSession,
  listCompanies,
  listPushSubscriptions,
  listSessions,
  listTrustedDevices,
  readSecondFactor,
  readTrustedDevice,
  removeTrustedDevice,
  renameTrustedDevice,
  requestDeletion,
  requestDeviceOptions,
  subscribeToPush,
  unsubscribeFromPush,
} from './routes.generated.ts'
import type { Send } from './send.ts'
import type {
  AddTrustedDeviceAnswer,
  AddTrustedDeviceBody,
  ChangeEmailAnswer,
  ChangeEmailBody,
  ChangePasswordAnswer,
  ChangePasswordBody,
  ConfirmDeletionAnswer,
  ConfirmEmailAnswer,
  DisableSecondFactorBody,
  EnableSecondFactorAnswer,
  EnableSecondFactorBody,
  ListCompaniesAnswer,
  ListPushSubscriptionsAnswer,
  ListSessionsAnswer,
  ListTrustedDevicesAnswer,
  ReadSecondFactorAnswer,
  RequestDeletionAnswer,
  RequestDeviceOptionsAnswer,
  RequestDeviceOptionsBody,
  SubscribeToPushAnswer,
  SubscribeToPushBody,
} from './shapes.generated.ts'

export type TrustedDeviceRecord = ListTrustedDevicesAnswer['items'][number]
/** A company for which the user may act. */
export type CompanyRecord = ListCompaniesAnswer['items'][number]
export type SessionRecord = ListSessionsAnswer['items'][number]

/** For the own login of a company or a person, not for clients or delegates. Any wrong proof is `session.invalid`. */
export class AccountSecurity {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  readSecondFactor(options?: CallOptions): Promise<ReadSecondFactorAnswer> {
    return this.#send(readSecondFactor, {}, options)
  }

  /** The first step sends the verifier and returns the secret; the second sends a code and enables the factor. */
  enableSecondFactor(step: EnableSecondFactorBody, options?: CallOptions): Promise<EnableSecondFactorAnswer> {
    return this.#send(enableSecondFactor, { body: step }, options)
  }

  disableSecondFactor(proof: DisableSecondFactorBody, options?: CallOptions): Promise<void> {
    return this.#send(disableSecondFactor, { body: proof }, options)
  }

  /** All trusted devices, oldest first, read page by page. */
  listDevices(options?: CallOptions): AsyncGenerator<TrustedDeviceRecord, void, undefined> {
    return everyItem((cursor) => this.#send(listTrustedDevices, { query: pageQuery(cursor) }, options))
  }

  readDevice(deviceId: string, options?: CallOptions): Promise<TrustedDeviceRecord> {
    return this.#send(readTrustedDevice, { params: { id: deviceId } }, options)
  }

  requestDeviceOptions(wanted: RequestDeviceOptionsBody, options?: CallOptions): Promise<RequestDeviceOptionsAnswer> {
    return this.#send(requestDeviceOptions, { body: wanted }, options)
  }

  renameDevice(deviceId: string, name: string, options?: CallOptions): Promise<TrustedDeviceRecord> {
    return this.#send(renameTrustedDevice, { params: { id: deviceId }, body: { name } }, options)
  }

  addDevice(device: AddTrustedDeviceBody, options?: CallOptions): Promise<AddTrustedDeviceAnswer> {
    return this.#send(addTrustedDevice, { body: device }, options)
  }

  /** Where hints to the device go by Web Push, at most ten, and the key for `pushManager.subscribe`. Persons only. */
  readPush(deviceId: string, options?: CallOptions): Promise<ListPushSubscriptionsAnswer> {
    return this.#send(listPushSubscriptions, { params: { id: deviceId } }, options)
  }

  subscribeToPush(
    deviceId: string,
    subscription: SubscribeToPushBody,
    options?: CallOptions,
  ): Promise<SubscribeToPushAnswer> {
    return this.#send(subscribeToPush, { params: { id: deviceId }, body: subscription }, options)
  }

  unsubscribeFromPush(deviceId: string, subscriptionId: string, options?: CallOptions): Promise<void> {
    return this.#send(unsubscribeFromPush, { params: { id: deviceId, subscriptionId } }, options)
  }

  /** Ends the sessions that are used on the device, also that of this call. */
  removeDevice(deviceId: string, options?: CallOptions): Promise<void> {
    return this.#send(removeTrustedDevice, { params: { id: deviceId } }, options)
  }

  /** The logins that have not ended, oldest first, read page by page; `current` is that of this client. */
  listSessions(options?: CallOptions): AsyncGenerator<SessionRecord, void, undefined> {
    return everyItem((cursor) => this.#send(listSessions, { query: pageQuery(cursor) }, options))
  }

  /** Ends a session everywhere; the current one as by a logout. One that has ended is `session.not_found`. */
  endSession(sessionId: string, options?: CallOptions): Promise<void> {
    return this.#send(endSession, { params: { id: sessionId } }, options)
  }

  /** The companies for which the user may act as a delegate, in the order of their ids, read page by page. */
  listCompanies(options?: CallOptions): AsyncGenerator<CompanyRecord, void, undefined> {
    return everyItem((cursor) => this.#send(listCompanies, { query: pageQuery(cursor) }, options))
  }

  /** Ends every other session of the account. */
  changePassword(change: ChangePasswordBody, options?: CallOptions): Promise<ChangePasswordAnswer> {
    return this.#send(changePassword, { body: change }, options)
  }

  /** Mails a code to the new address. */
  changeEmail(change: ChangeEmailBody, options?: CallOptions): Promise<ChangeEmailAnswer> {
    return this.#send(changeEmail, { body: change }, options)
  }

  confirmEmail(code: string, options?: CallOptions): Promise<ConfirmEmailAnswer> {
    return this.#send(confirmEmail, { body: { code } }, options)
  }

  /** Mails the code that `confirmDeletion` needs. */
  requestDeletion(options?: CallOptions): Promise<RequestDeletionAnswer> {
    return this.#send(requestDeletion, { body: {} }, options)
  }

  /** Deletes the account. This cannot be undone. */
  confirmDeletion(code: string, options?: CallOptions): Promise<ConfirmDeletionAnswer> {
    return this.#send(confirmDeletion, { body: { code } }, options)
  }
}
