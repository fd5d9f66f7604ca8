import { formatDate, formatWhen } from '@sealpost/ui'
import { nowMs } from '../../shell/clock.ts'
import { useLanguage } from '../../words/index.ts'
import type { DateWords } from './paper-state.ts'

export function useDates(): DateWords {
  const { language } = useLanguage()
  return {
    when: (at) => formatWhen(language, at, nowMs()),
    day: (date) => formatDate(language, date),
  }
}
