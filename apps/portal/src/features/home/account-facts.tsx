import { formatBytes, useLanguage } from '@sealpost/ui'
import type { ReactNode } from 'react'
import { useActing } from '../../shell/acting.tsx'
import { useWords } from '../../words/index.ts'
import classes from './home.module.css'

/** What the account is, and what of its limits is used. */
export function AccountFacts(): ReactNode {
  const { home: words, shell } = useWords()
  const { language } = useLanguage()
  const { level, region, shareCode, storage } = useActing()
  const bytes = (count: number): string => formatBytes(language, count)
  return (
    <section className={classes.facts}>
      <h2>{words.account}</h2>
      <dl>
        <div>
          <dt>{words.level}</dt>
          <dd>{shell.levels[level]}</dd>
        </div>
        <div>
          <dt>{words.region}</dt>
          <dd>{region}</dd>
        </div>
        <div>
          <dt>{words.code}</dt>
          <dd>
            <code translate="no">{shareCode}</code>
          </dd>
        </div>
        {storage === null ? null : (
          <div>
            <dt>{words.stored}</dt>
            <dd>
              {storage.quota === null
                ? words.noLimit(bytes(storage.bytes))
                : words.of(bytes(storage.bytes), bytes(storage.quota))}
            </dd>
            {storage.quota === null ? null : (
              <dd className={classes.track}>
                <Track part={storage.bytes / storage.quota} />
              </dd>
            )}
          </div>
        )}
      </dl>
    </section>
  )
}

const WIDTH = 320
/** Amber only where it will soon be full. */
const NEARLY = 0.9

function Track({ part }: { readonly part: number }): ReactNode {
  const width = Math.min(1, Math.max(0, part)) * WIDTH
  return (
    <svg viewBox={`0 0 ${WIDTH} 4`} preserveAspectRatio="none" aria-hidden>
      <rect className={classes.bed} width={WIDTH} height="4" rx="2" />
      <rect className={part >= NEARLY ? classes.over : classes.part} width={width} height="4" rx="2" />
    </svg>
  )
}
