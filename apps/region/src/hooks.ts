import type { Hooks, Modules } from './compose.ts'
import { awaitGuards, recordAccountChange } from './modules/access/index.ts'
import { endDelegatedService } from './modules/account/index.ts'
import { endClientsOfAccount, endClientsOfService, findClientNames } from './modules/clients/index.ts'
import {
  countConnections,
  countValues,
  deleteErased,
  deleteSlotsOfRows,
  endConnections,
  endRequests,
  forgetCustomer,
  hasOpenContracts,
  listLiveSlots,
  prepareClearFiles,
  resolveSlots,
  shareAttestation,
  shareValue,
  tellFactsChanged,
  tellRenamed,
  tellServiceDeleted,
  withdrawValue,
} from './modules/connections/index.ts'
import { forgetDevice, forgetDevices, hint } from './modules/devices/index.ts'
import {
  deleteDocumentsOfService,
  endOffers,
  forgetBroadcasts,
  forgetCopies,
  forgetUnsigned,
  hasDocuments,
  introduceBroadcasts,
  listRecords,
} from './modules/documents/index.ts'
import { deleteFeed, type FeedResolver } from './modules/feed/index.ts'
import { deleteAssetsOfService, deleteFlowsOfService, listFlowRequestRows } from './modules/flows/index.ts'
import { endGrantsInTransaction, endGrantsOfUser } from './modules/grants/index.ts'
import { askSecondFactor, forgetLogin, recoveryProof } from './modules/login/index.ts'
import {
  deleteMessagesOfService,
  endMessageBroadcasts,
  endThread,
  endThreads,
  forgetMessages,
} from './modules/messages/index.ts'
import { deleteAllPlugins, forgetUses } from './modules/plugins/index.ts'
import { deleteContactFields } from './modules/registry/index.ts'
import {
  cancelByCopy,
  cancelRunsOf,
  deleteRunsOfService,
  flowsOfRunsThatNeed,
  forgetRuns,
  hasRuns,
  levelChanged,
  listKeysOfRuns,
  listPartyKeys,
  listRunSignatures,
  lockRunOfCopy,
  moveLine,
} from './modules/runs/index.ts'
import {
  cardPhotoGone,
  cardValueChanged,
  companyRenamed,
  endServicesOfAccount,
  ownsServices,
} from './modules/services/index.ts'
import { deleteTwofaOfService, endEnrollment, endTwofa, forgetTwofa } from './modules/twofa/index.ts'
import { fieldChanged, fieldDeleted, forgetPhotos, forgetValues, hasValue, readStorage } from './modules/vault/index.ts'
import { applyLevel, deleteWebhooksOf } from './modules/webhooks/index.ts'

/**
 * Every call from a module up to one that stands on it. Hooks with a `tx` run in the transaction of the change, in the
 * order of their list. `modules` is read when a hook runs: the upper modules are opened after the lower ones.
 */
export function regionHooks(modules: () => Modules): Hooks {
  // One object for its kinds: the feed calls each resolver once per page.
  const slots: FeedResolver = { resolve: (...page) => resolveSlots(modules().connections.service, ...page) }
  return {
    account: accountHooks(modules),
    login: {
      endGrants: (tx, userId) => endGrantsInTransaction(modules().grants, tx, userId),
      onDeviceRemoved: forgetDevice,
    },
    registry: {
      hasValue,
      onFieldDeleted: (tx, field) => fieldDeleted(modules().vault, tx, field),
      onFieldChanged: (tx, field) => fieldChanged(modules().vault, tx, field),
    },
    vault: {
      liveSlots: listLiveSlots,
      prepareClearFiles: (change) => prepareClearFiles(modules().connections.customer, change),
      onValueChanged: (tx, change) => shareValue(modules().connections.customer, tx, change),
      onValueDeleted: (tx, field) => withdrawValue(modules().connections.customer, tx, field),
      onAttestationChanged: (tx, change) => shareAttestation(modules().connections.customer, tx, change),
      onPlainValueChanged: (tx, change) => cardValueChanged(modules().services, tx, change),
      onOwnValueChanged: (tx, { accountId, fieldId: id }) =>
        hint(modules().devices, tx, { accountId, kind: 'value_changed', id }),
      onPhotoDeleted: (tx, photo) => cardPhotoGone(modules().services, tx, photo),
    },
    feed: {
      resolvers: { field_updated: slots, field_deleted: slots, consent_accepted: slots },
    },
    plugins: { flowsOfRunsThatNeed },
    services: servicesHooks(modules),
    connections: connectionsHooks(modules),
    documents: documentsHooks(modules),
    messages: { hint: (tx, change) => hint(modules().devices, tx, change) },
    runs: { hint: (tx, change) => hint(modules().devices, tx, change) },
    twofa: { hint: (tx, change) => hint(modules().devices, tx, change) },
  }
}

function accountHooks(modules: () => Modules): Hooks['account'] {
  return {
    recordChange: (tx, id) => recordAccountChange(tx, id, modules().access.clock.now()),
    awaitGuards: (revision) => awaitGuards(modules().access.database, revision),
    ownsServices: (read, companyId, services) => ownsServices(read, companyId, services),
    clientNames: findClientNames,
    recoveryProof: () => recoveryProof(modules().login),
    storage: (read, id) => readStorage(modules().vault, read, id),
    onLevelChanged: [
      (tx, companyId, level) => applyLevel(modules().webhooks, tx, companyId, level),
      (tx, companyId, level) => levelChanged(modules().runs.service, tx, companyId, level),
    ],
    onProfileChanged: [
      (tx, renamed) => companyRenamed(modules().services, tx, renamed.id),
      (tx, renamed) => tellRenamed(modules().connections.customer, tx, renamed),
    ],
    onAccountDeleted: [
      (tx, account) => forgetLogin(modules().login, tx, account),
      (tx, account) => endClientsOfAccount(modules().clients, tx, account.id),
      (tx, account) => endServicesOfAccount(modules().services, tx, account.id),
      (tx, account) => endGrantsOfUser(modules().grants, tx, account.id),
      (tx, account) => forgetCustomer(modules().connections.customer, tx, account),
      (tx, account) => forgetCopies(modules().documents.customer, tx, account),
      (tx, account) => forgetRuns(modules().runs.customer, tx, account),
      (tx, account) => forgetValues(modules().vault, tx, account),
      (tx, { id }) => forgetPhotos(tx, { accountId: id, at: modules().vault.clock.now() }),
      (tx, { id }) => deleteContactFields(tx, id),
      (tx, { id }) => deleteFeed(modules().feed, tx, { kind: 'account', accountId: id }),
      forgetMessages,
      (tx, { id }) => forgetDevices(tx, id),
      forgetTwofa,
      (tx, { id }) => deleteAllPlugins(tx, id),
    ],
  }
}

function documentsHooks(modules: () => Modules): Hooks['documents'] {
  return {
    hint: (tx, change) => hint(modules().devices, tx, change),
    listRunSignatures,
    runs: {
      lock: lockRunOfCopy,
      moveLine: (tx, ...step) => moveLine(modules().runs.service, tx, ...step),
      cancel: (tx, ...cancelled) => cancelByCopy(modules().runs.service, tx, ...cancelled),
    },
  }
}

function servicesHooks(modules: () => Modules): Hooks['services'] {
  return {
    onFactsChanged: [(tx, service) => tellFactsChanged(modules().connections.service, tx, service)],
    // The webhooks end at once, before the connections of the service, which a job ends.
    onServiceDeleted: [
      (tx, service) => tellServiceDeleted(modules().connections.service, tx, service),
      deleteWebhooksOf,
      (tx, service) => endDelegatedService(modules().account, tx, service),
      (tx, { companyId, serviceId }) => forgetUses(tx, companyId, serviceId),
    ],
    onServiceGone: [
      deleteTwofaOfService,
      deleteFlowsOfService,
      (tx, { serviceId }) => deleteErased(tx, serviceId),
      (tx, service) => deleteFeed(modules().feed, tx, { kind: 'service', ...service }),
    ],
    hasOpenContracts,
    countConnections,
    countValues,
    listFlowRows: listFlowRequestRows,
    deleteSlotsOfRows: (tx, ...step) => deleteSlotsOfRows(modules().connections.service, tx, ...step),
    endConnections: (tx, ...step) => endConnections(modules().connections.service, tx, ...step),
    hasEvidence: async (read, { serviceId }) =>
      (await hasDocuments(read, serviceId)) || (await hasRuns(read, serviceId)),
    async deleteContents(tx, service, step, limit) {
      const { flows, runs, documents } = modules()
      const { after, isDone } = await deleteDocumentsOfService(documents.service, tx, service, step, limit)
      if (!isDone) return { after, isDone }
      let deleted = await deleteMessagesOfService(tx, service, limit)
      if (deleted < limit)
        deleted += await deleteRunsOfService(runs.service, tx, service, step.keepsEvidence, limit - deleted)
      if (deleted < limit) deleted += await deleteAssetsOfService(flows, tx, service, limit - deleted)
      return { after, isDone: deleted < limit }
    },
    endRequests: (tx, ...step) => endRequests(modules().connections.service, tx, ...step),
    endClients: (tx, { companyId, serviceId }) => endClientsOfService(modules().clients, tx, companyId, serviceId),
    hasSecondFactor: (companyId, userId) => askSecondFactor(modules().login, companyId, userId),
  }
}

function connectionsHooks(modules: () => Modules): Hooks['connections'] {
  return {
    service: {
      async onEnded(tx, ended) {
        await endThread(modules().messages.service, tx, ended)
        return [
          ...(await endEnrollment(modules().twofa.service, tx, ended)),
          ...(await endOffers(modules().documents.service, tx, ended)),
          ...(await cancelRunsOf(modules().runs.service, tx, ended)),
        ]
      },
      listRunKeys: (read, of, users) =>
        'serviceId' in of ? listKeysOfRuns(read, of.serviceId, users) : listPartyKeys(read, of.accountId, users),
      onFirstCustomer: (tx, connection) => introduceBroadcasts(modules().documents.service, tx, connection),
    },
    customer: {
      async onEnded(tx, accountId, connections) {
        const ids = connections.map(({ id }) => id)
        await endThreads(modules().messages.customer, tx, accountId, connections)
        await endTwofa(modules().twofa.customer, tx, accountId, ids)
        await forgetUnsigned(modules().documents.customer, tx, accountId, ids)
      },
      async onServiceEnded(tx, serviceId) {
        await endMessageBroadcasts(modules().messages.customer, tx, serviceId)
        await forgetBroadcasts(modules().documents.customer, tx, serviceId)
      },
      listDocuments: (read, ...of) => listRecords(modules().documents.customer, read, ...of),
      hint: (tx, changes) => hint(modules().devices, tx, changes),
    },
  }
}
