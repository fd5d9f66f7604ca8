/** `@sealpost/sdk/login`: logs a user in with e-mail address and password, for programs on Node. */
export { logIn, type LogInOptions, type UserLogin } from './log-in.ts'
