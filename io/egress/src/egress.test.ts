import { egressConformance } from '@sealpost/testkit/conformance/egress'
import { openEgress } from './egress.ts'

egressConformance(openEgress)
