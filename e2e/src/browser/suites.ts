import type { VectorCase } from '@sealpost/testkit/vector-case'
import { cryptoCases, decryptionCases } from '@sealpost/testkit/vectors/crypto'
import {
  conditionCases,
  expressionCases,
  plainConditionCases,
  plainConstantCases,
} from '@sealpost/testkit/vectors/expression'
import { fieldTypeCases, plainValueCases, registryCases } from '@sealpost/testkit/vectors/field-types'
import { flowRoutingCases, publishCases } from '@sealpost/testkit/vectors/flow'
import { textCases } from '@sealpost/testkit/vectors/text'
import { webhookSignatureCases } from '@sealpost/testkit/vectors/webhook-signatures'
import { olderExportCases } from './older-exports.ts'

export interface VectorFile {
  /** Relative to the root of the repository; files outside of it run where they exist. */
  readonly path: string
  cases(this: void, file: unknown): readonly VectorCase[]
}

/** Suites that must give the same results in Node and browsers; imports nothing of either. */
export const SUITES: Readonly<Record<string, readonly VectorFile[]>> = {
  crypto: [
    { path: 'vectors/crypto.json', cases: cryptoCases },
    { path: 'vectors/webhook-signatures.json', cases: webhookSignatureCases },
    { path: '../shared/vectors/decryption.json', cases: decryptionCases },
  ],
  'field-types': [
    { path: 'vectors/field-types.json', cases: fieldTypeCases },
    { path: '../shared/vectors/field-types-registry.json', cases: registryCases },
    { path: '../shared/vectors/field-validation.json', cases: plainValueCases },
  ],
  expression: [
    { path: 'vectors/expressions.json', cases: expressionCases },
    { path: 'vectors/conditions.json', cases: conditionCases },
    { path: '../shared/vectors/flow-conditions.json', cases: plainConditionCases },
    { path: '../shared/vectors/flow-constants.json', cases: plainConstantCases },
  ],
  flow: [
    { path: 'vectors/publish.json', cases: publishCases },
    { path: 'vectors/flow-routing.json', cases: flowRoutingCases },
    { path: '../shared/vectors/flow-info-gathering.json', cases: olderExportCases },
    { path: '../shared/vectors/flow-contract.json', cases: olderExportCases },
  ],
  text: [{ path: 'vectors/text.json', cases: textCases }],
}
