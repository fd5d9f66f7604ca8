export { createTestDatabase, type TestDatabase } from './databases.ts'
export * from './demo-verifier/index.ts'
export * from './engines/index.ts'
export * from './forwarder/index.ts'
export {
  hundredths,
  median,
  medianRatio,
  atLeastOne,
  type Bar,
  type Figures,
  runScenario,
  type Scenario,
  type ScenarioContext,
  zero,
} from './scenario.ts'
export {
  fixedClock,
  type FixedClock,
  fixedIds,
  type ManualScheduler,
  manualScheduler,
  seededRandom,
  TEST_START,
} from './fixed.ts'
export * from './hooks/index.ts'
export {
  type Addresses,
  type AppAddress,
  forwarderEnvironment,
  type InstallationEnvironment,
  installationEnvironment,
  createSigningKeys,
  UNLIMITED_RATES,
} from './installation/environment.ts'
export { COMPILE_CACHE } from './compile-cache.ts'
export { type AppProcess, appProcess, ROOT } from './installation/app-process.ts'
export { bundledPrograms, keptOnce } from './installation/bundles.ts'
export { checkOutRelease, type Release } from './installation/release.ts'
export { type Cluster, type ClusterOptions, startCluster } from './installation/cluster.ts'
export {
  type Installation,
  type InstallationOptions,
  type ObservedNats,
  startInstallation,
} from './installation/installation.ts'
export { inspectable, type Inspector, openInspector } from './installation/inspector.ts'
export { testSeal } from './installation/test-seal.ts'
export { type MailSink, type SinkMail, startMailSink } from './mail-sink.ts'
export { type BrowserSubscription, type PushSink, startPushSink, type TakenPush } from './push-sink.ts'
export { type SinkSms, type SmsSink, startSmsSink } from './sms-sink.ts'
export * from './people/index.ts'
export type { PersonaKeys, PersonaLogin } from './persona-logins.ts'
export type { PersonaService } from './persona-services.ts'
export { companies, type CompanyPersona, harborline, mara, northwind, type PersonPersona, persons } from './personas.ts'
export { processMegabytes } from './process-memory.ts'
export { listProcesses, readProcessStat } from './process-stat.ts'
export { scaled } from './slowness.ts'
export { forge, type Forged, type ForgePlace, type LoginClaims, loginClaims, payloadOf, publicKey } from './forge.ts'
export { reservePort } from './engines/ports.ts'
export * from './sharing/index.ts'
export { openTables, type Tables, type TablesOptions } from './tables.ts'
export { startTwoRegions, type TwoRegions } from './two-regions.ts'
export * from './world/index.ts'
