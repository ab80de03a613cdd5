/** The path of a program, built when it is not there. Says on stderr what takes long. */
export function testbedProgram(name: 'cluster' | 'argocd' | 'manifests'): Promise<string>;
