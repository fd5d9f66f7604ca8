export {
  type AttestationAnswer,
  type AttestationRequest,
  type DemoVerifier,
  type DemoVerifierOptions,
  startDemoVerifier,
} from './demo-verifier.ts'
