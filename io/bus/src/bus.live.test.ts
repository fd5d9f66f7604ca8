import { describeBus } from '@sealpost/testkit/conformance/bus'
import { openBus } from './bus.ts'

describeBus(openBus)
