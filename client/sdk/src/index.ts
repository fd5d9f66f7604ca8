export {
  AccountClient,
  type AttentionRecord,
  type AuditFilter,
  type AuditRecord,
  type ProfileChange,
} from './account-client.ts'
export type {
  AccountClientChange,
  AccountClientRecord,
  AccountClients,
  Capability,
  NewAccountClient,
} from './account-clients.ts'
export type { AccountSecurity, CompanyRecord, SessionRecord, TrustedDeviceRecord } from './account-security.ts'
export type { ContactFields } from './account/contact-fields.ts'
export type { OpenedCompanyCopy, RunCopyName, RunDocuments } from './account/run-documents.ts'
export type { ServiceRecords } from './account/service-records.ts'
export type { FlowRecord, ServiceRunName, ServiceRuns } from './account/service-runs.ts'
export type { PhotoRecord, Photos } from './account/photos.ts'
export type {
  ManagedRequestField,
  ManagedRequestFields,
  ReadRequestFieldsOptions,
  ShareFields,
} from './account/service-config.ts'
export type { MadeService, NewService, NewServiceKey, ServiceRecord, Services } from './account/services.ts'
export type { WebhookDeliveryRecord, WebhookRecord, Webhooks, WebhookSettings } from './account/webhooks.ts'
export type { ChangePage, Changes, CustomerChange, DrainOptions, PageOptions, ServiceChange } from './changes.ts'
export { CustomerClient, type CustomerClientOptions } from './customer-client.ts'
export type {
  AuthorizationApproval,
  AuthorizationRecord,
  AuthorizationRequest,
  Authorizations,
  ClaimAnswer,
  ClaimsDelivery,
} from './customer/authorizations.ts'
export type { ReceivedConnectRequest, ReceivedConnectRequests } from './customer/connect-requests.ts'
export type { OwnConnections } from './customer/connections.ts'
export type { Consent, Consents } from './customer/consents.ts'
export type { ContactData, ContactField, ContactValue, OwnValue, PutOptions } from './customer/contact-data.ts'
export type {
  AnnouncedKey,
  AnswerOptions,
  ConnectOptions,
  CustomerAnswer,
  CustomerAnswers,
  RequestedField,
  ShownField,
} from './customer/decisions.ts'
export type { OpenedDocument, OpenedFile, OpenedJson, OwnDocument, OwnDocuments } from './customer/documents.ts'
export type { OwnFlows, OwnRunName } from './customer/flows.ts'
export type { Hint, HintKind, HintOptions } from './customer/hints.ts'
export type { ApprovalProof, EnrollmentRecord, OwnApprovals, ReceivedChallengeRecord } from './customer/approvals.ts'
export type { OwnMessageRecord, OwnMessages, SealedMessage } from './customer/messages.ts'
export type { OwnConnection } from './customer/own-connections.ts'
export type { UserType } from './customer/session.ts'
export type { Verifications } from './customer/verifications.ts'
export type { DataClients, DataClientSettings } from './data-clients.ts'
export type { DelegateRecord, Delegates } from './delegates.ts'
export type { DocumentFile } from './documents/document-file.ts'
export type { CertificateInput } from './documents/certificates.ts'
export { checkPdf, NotSignableError, type PdfCheck, type PdfRefusal } from './documents/not-signable.ts'
export type { SigningAssertion, SigningProof } from './documents/signing.ts'
export {
  type SealedAct,
  type SealFacts,
  type SealParty,
  type SealProblem,
  type SealWarning,
  type SealRevocation,
  type SealTrust,
  type SealVerdict,
  verifySealedPdf,
} from './documents/verify-sealed-pdf.ts'
export { isSealpostError, NetworkError, SealpostError, UnexpectedAnswerError } from './errors.ts'
export type { ErrorDetails } from './errors.ts'
export type { ErrorDetailsByKey, ErrorKey } from './errors.generated.ts'
export { type Envelope, EnvelopeError, type ReceivedFile } from './files/envelope.ts'
export type { FileAnswer, Files, SharedFiles } from './files/files.ts'
export type { FilesToShare, FileToShare } from './files/new-envelope.ts'
export { ContentMismatchError, type OpenFile } from './files/open-file.ts'
export type { FlowAnswer, FlowAnswers } from './flows/answer.ts'
export { FlowError, type FlowRefusal, type StepProblem } from './flows/flow-error.ts'
export type { FlowTurn, TurnAnswers } from './flows/flow-turn.ts'
export type { GeneratedDocuments } from './flows/generate-documents.ts'
export type { AnswerFacts, OpenedAnswer } from './flows/opened-answer.ts'
export type { AwaitedParty, FlowRun, FlowRunSummary } from './flows/run.ts'
export type { OpenedRunDocument } from './flows/run-document.ts'
export type { SigningStep } from './flows/signing-steps.ts'
export type { FlowStep, NextStep, StepElement, StepField, TextPart } from './flows/step.ts'
export type { RunProgress, WaitOptions } from './flows/wait-for-run.ts'
export type { PluginFieldPlace } from './forwarder/placed-plugin-field.ts'
export { PluginError, type PluginInputRefusal, type PluginRefusal } from './forwarder/plugin-error.ts'
export type { PluginKeyChange } from './forwarder/plugin-trust.ts'
export type { PluginAnswer, PluginField, PluginOption, PluginOptions } from './forwarder/plugin-field.ts'
export type {
  PluginBlock,
  PluginInput,
  PluginOutput,
  PluginPass,
  PluginSnapshot,
  PluginSpec,
} from './forwarder/plugin-pass.ts'
export type { Keys } from './keys/keys.ts'
export { KeyChangedError, type KeyPins, memoryPins } from './keys/pins.ts'
export {
  AccountKey,
  type AccountKeyFile,
  type OpenAccountKey,
  type SealedValue,
  ServiceKey,
  type WrappedAccountKey,
  type WrappedPrivateKey,
} from './keys/private-keys.ts'
export { fingerprintOf, PublicKey } from './keys/public-key.ts'
export { SealingError, type SealingRefusal } from './keys/sealing-error.ts'
export type {
  AccountClientOptions,
  CallOptions,
  ClientCredentials,
  ClientOptions,
  FreshAccess,
  HandedAccess,
  ReadingOptions,
  SdkEvent,
  SdkWarning,
  SecretSource,
  PluginKeyOptions,
  ServiceClientOptions,
  VerifierKey,
} from './options.ts'
export type { DeadLetter } from './pump/journal.ts'
export { type LineStore, memoryStore, type StoreHold } from './pump/line-store.ts'
export type { HandleContext, PossibleLoss, PumpOptions, PumpResult, Trouble } from './pump/pump-options.ts'
export type { ChangePump } from './pump/pump.ts'
export { StoreError, type StoreRefusal } from './pump/store-error.ts'
export type { RecoveryCopies, RecoveryCopyRecord } from './recovery-copies.ts'
export type { ConnectRequests } from './service/connect-requests.ts'
export type { Connection, Connections } from './service/connections.ts'
export type {
  DocumentContent,
  DocumentFilter,
  DocumentRecipient,
  DocumentRecord,
  Documents,
  DocumentToBroadcast,
  DocumentToSend,
} from './service/documents.ts'
export type { Flows, PublishedFlow } from './service/flows.ts'
export type { RunFilter } from './service/run-filter.ts'
export type { RunTargets } from './service/run-targets.ts'
export type { ApprovalProgress, Approvals, LoginApproval, LoginToApprove } from './service/approvals.ts'
export type { MessageRecord, Messages } from './service/messages.ts'
export type { RequestField, RequestFields, RequestFieldToPublish } from './service/request-fields.ts'
export { ServiceClient } from './service-client.ts'
export type * from './shapes.generated.ts'
export type { BuiltinPlugin, NewPlugin, PluginRecord, Plugins } from './plugins.ts'
export type { AppClaim, NewSignInApp, SignInAppRecord, SignInApps, SignInAppSettings } from './sign-in-apps.ts'
export { UntrustedAnswerError, type UntrustedReason } from './untrusted.ts'
export { FieldTypes, type ResolvedType, type ValueProblem } from './values/field-types.ts'
export { type PlainInput, ValueError } from './values/plain-input.ts'
export type { Authenticity } from './values/senders.ts'
export type { TypedValue } from './values/typed-value.ts'
export type {
  AttestationMembers,
  AttestedBy,
  Attestedness,
  ConnectionMembers,
  DecryptedValue,
  PlainValue,
  ValueFacts,
  ValueMembers,
  ValuePlace,
  Values,
} from './values/values.ts'
