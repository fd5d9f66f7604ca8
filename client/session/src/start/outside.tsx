import { Brand, type Language, languageNames, languages, Page, useLanguage } from '@sealpost/ui'
import type { ComponentProps, ReactNode } from 'react'
import classes from './start.module.css'

/** Around pages outside of an account: the name, and the way to another language. */
export function Outside(page: ComponentProps<typeof Page>): ReactNode {
  return (
    <div className={classes.screen}>
      <header className={classes.brand}>
        <Brand />
        <OtherLanguages />
      </header>
      <Page {...page} />
    </div>
  )
}

function OtherLanguages(): ReactNode {
  const { language, choose } = useLanguage()
  const others = languages.filter((other): other is Language => other !== language)
  return others.map((other) => (
    <button key={other} className={classes.language} type="button" lang={other} onClick={() => void choose(other)}>
      {languageNames[other]}
    </button>
  ))
}
