#include "chapters/05_attention_versus_dense/ceilings.hpp"
#include "chapters/05_attention_versus_dense/experiments.hpp"
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
using namespace attn;
using namespace attn::attention_versus_dense;
template <class F> double timed(F f){ auto a=std::chrono::steady_clock::now(); f(); return std::chrono::duration<double>(std::chrono::steady_clock::now()-a).count(); }
int main(int argc,char**argv){
 std::string what=argv[1];
 std::size_t seeds = argc>2? atoi(argv[2]):1;
 for (std::uint64_t seed=1; seed<=seeds; ++seed) {
 if(what=="n"||what=="all") for(const char* m: {"dense, 128 hidden","dense, 512 hidden"})
  for(std::size_t n: {500,5000,16000,50000}) {
   Training t; t.n_steps = n<=5000?2000: n<=16000?4000:10000; t.n_steps=n<1000?1000:n<=5000?2000:n<20000?3000:5000;
   Fitted f{}; double s=timed([&]{f=fit_marked(m,seed,n,20,t);});
   printf("%-24s N=%6zu test %.3f last %.3f train %.3f  %.2fs", m,n,f.fit.test,f.fit.last_test,f.fit.last_train,s);
   if(maker_named(m).any_length) for(std::size_t T:{50,100}) { auto e=marked_test(seed,2000,T); printf(" T%zu %.3f",T,r_squared(predictions(f.model,e),e.Y)); }
   printf("\n"); fflush(stdout);
  }
 if(what=="t"||what=="all") for(const char* m: {"attention, tanh, b_t","attention, tanh, one b","attention, tanh","attention"})
  for(std::size_t T: {5,10,20,50,100}) { Training t; Fitted f{}; double s=timed([&]{f=fit_marked(m,seed,5000,T,t);}); auto e=marked_test(seed+77,20000,T); f.fit.last_test=r_squared(predictions(f.model,e),e.Y);
   printf("%-24s T=%zu %.3f (last %.3f) ceil %.4f nobias %.4f  %.2fs\n",m,T,f.fit.test,f.fit.last_test,marked_ceiling(2,T),marked_ceiling(1,T),s); fflush(stdout);}
 if(what=="l"||what=="all") for(const LagTask& task: lag_tasks()) { auto c=best_with_constant_weights(task.weights); printf("%s mean %.4f att %.4f time %.4f\n",task.name.c_str(),c.mean,c.attention,c.over_time);
  for(const char* m: {"attention, tanh, b_t","attention, b_t","attention","mean of the steps","dense, over features","dense, over time","dense, over both","dense, 128 hidden"}) { Training t; Fitted f{}; double s=timed([&]{f=fit_lags(m,task,seed,500,t);});
   printf("  %-24s %.4f %.2fs\n",m,f.fit.test,s); fflush(stdout);} }
 if(what=="r"||what=="all") for(Arithmetic a: {Arithmetic::multiplication,Arithmetic::addition}) for(const char* m: {"embedding, tanh attention","embedding, attention","embedding, mean","dense, 128 hidden"}) {
   Training t; t.n_steps=argc>3?atoi(argv[3]):1500; t.batch=argc>4?atoi(argv[4]):64; ArithmeticResult f{}; double s=timed([&]{f=fit_arithmetic(m,a,seed,20000,t);});
   printf("%d %-24s R2 %.4f near %.3f twice %.3f %.2fs\n",int(a),m,f.r_squared,f.near,f.twice,s); fflush(stdout);}
 if(what=="o"||what=="all") for(const char* m: {"attention, tanh, one b","attention, tanh, b_t","embedding, tanh attention","embedding, mean","embedding, maximum","mean of the steps","dense, over both"}) { Training t; t.n_steps=600; double f=0; double s=timed([&]{f=fit_order(m,seed,2000,t);});
   printf("order %-24s %.4f %.2fs\n",m,f,s); fflush(stdout);}
 if(what=="s"||what=="all") { Training t; ScalarTrap f{}; double s=timed([&]{f=spring_the_trap(seed,5000,t);}); printf("trap R2 %.4f value %.4f weight %.4f %.2fs\n",f.r_squared,f.of_value,f.of_weight,s); }
 }
}
