#include "core/io/open.h"
#include "core/codegen/python_code.h"
#include "core/ir/graph_text.h"
#include <iostream>
int main(int c,char**v){ fx::Progress p; try { auto m=fx::openModel(v[2],{c>3},p); std::string w=v[1];
 if(w=="graph") std::cout<<fx::graphText(m.model.graph())<<"\n"; if(w=="tab") std::cout<<fx::tabularText(m.model.graph()); if(w=="code") std::cout<<fx::PythonCode(m.model,m.model.root()).text(); for(auto&n:m.notes) std::cerr<<"note: "<<n<<"\n";
 } catch(const fx::Error&e){std::cerr<<"error: "<<e.what()<<"\n";return 1;} }
