// Of the whole library the bundle takes what stands here. It is loaded when it is needed: that takes 0.3 s.
export { KubeConfig, loadYaml } from '@kubernetes/client-node';
