import { formatDate, formatWhen, useLanguage } from '@sealpost/ui'
import { nowMs } from '@sealpost/web-app'
import type { DateWords } from './paper-state.ts'

export function useDates(): DateWords {
  const { language } = useLanguage()
  return {
    when: (at) => formatWhen(language, at, nowMs()),
    day: (date) => formatDate(language, date),
  }
}
