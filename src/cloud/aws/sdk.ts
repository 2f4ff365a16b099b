// Of the SDK the bundle takes what stands here. It is loaded when the first request is signed.
export { Sha256 } from '@aws-crypto/sha256-js';
export { defaultProvider } from '@aws-sdk/credential-provider-node';
export { SignatureV4 } from '@smithy/signature-v4';
